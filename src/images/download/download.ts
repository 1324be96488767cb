/** Downloads and checks the images of a plan, several at the same time. Skips images that are in the folder and unchanged. */
import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.js';
import { HttpError } from '../../client/errors/http-error.js';
import { isServerSilent, isTooLarge } from '../../client/fetch-file.js';
import { asObject } from '../../service/json.js';
import { tryParseJson } from '../../service/parse-json.js';
import { FileError } from '../../system/file-error.js';
import { readRegularFile } from '../../system/regular-file.js';
import { type FetchedImage, fetchImage } from '../fetch-image.js';
import { createReportRow, type DownloadPlan, type PlannedImage } from './download-plan.js';
import { computeSha256, type ExistingImage, getSidecarPath, type ImageFolder } from './image-folder.js';
import { type IndexRow, type ReportRow, toIndexRow } from './index-file.js';
import { formatSidecar } from './sidecar.js';

export interface DownloadOptions {
  readonly client: Client;
  readonly concurrency: number;
  readonly maxBytes: number | undefined;
  readonly minWidth: number | undefined;
  readonly anySize: boolean;
  readonly sidecar: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface DownloadOutcome {
  /** Planned images that are in the folder, by name. */
  readonly images: ReadonlyMap<string, ExistingImage>;
  readonly remarks: readonly ReportRow[];
  readonly fetched: number;
  readonly fetchedBytes: number;
  readonly unchanged: number;
}

/** While some workers write files, others should send requests. So there are more workers than concurrent requests. */
const EXTRA_WORKERS = 2;

/** The result has a remark for each failed or skipped image. Throws the signal's reason, and an OpacError if the disk fails. */
export async function downloadImages(
  plan: DownloadPlan,
  folder: ImageFolder,
  options: DownloadOptions,
): Promise<DownloadOutcome> {
  const download = new Download(folder, options);
  const remarks = new Map<number, ReportRow>();
  const queue = plan.wanted();
  let begun = 0;
  let done = 0;

  async function work(): Promise<void> {
    for await (const wanted of queue) {
      options.signal.throwIfAborted();
      const number = begun++;
      const remark = await download.run(wanted);
      if (remark) remarks.set(number, remark);
      options.onProgress(++done, plan.count);
    }
  }

  const workers = Array.from({ length: options.concurrency + EXTRA_WORKERS }, work);
  const outcomes = await Promise.allSettled(workers);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  const inOrder = [...remarks].sort(([one], [other]) => one - other).map(([, remark]) => remark);
  return { images: download.images, remarks: inOrder, ...download.totals };
}

class Download {
  readonly images = new Map<string, ExistingImage>();
  readonly totals = { fetched: 0, fetchedBytes: 0, unchanged: 0 };
  readonly #folder: ImageFolder;
  readonly #options: DownloadOptions;
  readonly #failures = new Map<string, number>();

  constructor(folder: ImageFolder, options: DownloadOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** Returns a row for the report if the image or its sidecar was not saved. */
  async run(wanted: PlannedImage): Promise<ReportRow | undefined> {
    const { signal, sidecar } = this.#options;
    try {
      await this.#folder.refuseLinks(wanted.name);
      const unchanged = await findUnchangedImage(wanted, this.#folder);
      if (unchanged) this.totals.unchanged++;
      const image = unchanged ?? (await this.#download(wanted));
      if (typeof image === 'string') return createReportRow(wanted, 'skipped', image);
      this.images.set(wanted.name, image);
      if (sidecar) await saveSidecar(createIndexRow(wanted, image), wanted, this.#folder);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      // If the disk fails, other images cannot be saved either. A limit on the file size (EFBIG) prevents only large files.
      if (
        error instanceof FileError &&
        error.fault?.isDiskProblem &&
        !/ulimit/.test(error.fault.remedy ?? '')
      )
        throw error;
      return createReportRow(wanted, 'failed', error instanceof Error ? error.message : String(error));
    }
  }

  /** Returns the saved image, or the reason why it was skipped. */
  async #download(wanted: PlannedImage): Promise<ExistingImage | string> {
    const host = getHost(wanted.sourceUrl);
    if ((this.#failures.get(host) ?? 0) >= MAX_FAILURES_IN_A_ROW)
      throw new Error(`not requested, because ${host} did not respond or was busy`);
    const fetched = await this.#fetch(wanted).catch((error) => {
      this.#failures.set(host, isHostFailure(error) ? (this.#failures.get(host) ?? 0) + 1 : 0);
      throw error;
    });
    this.#failures.set(host, 0);
    if (typeof fetched === 'string') return fetched;
    const { minWidth, signal } = this.#options;
    const { bytes, width, height } = fetched;
    if (minWidth !== undefined && width < minWidth) return `the image is ${width} pixels wide`;
    const file = `${wanted.name}.${fetched.extension}`;
    const sha256 = await saveImage(file, bytes, wanted, this.#folder, signal);
    const image = { file, sourceUrl: wanted.sourceUrl, sha256, bytes: bytes.length, width, height };
    await this.#folder.addToJournal(createIndexRow(wanted, image));
    this.totals.fetched++;
    this.totals.fetchedBytes += bytes.length;
    return image;
  }

  async #fetch(wanted: PlannedImage): Promise<FetchedImage | string> {
    const { maxBytes, anySize, client, signal } = this.#options;
    const declared = anySize ? undefined : { width: wanted.width, height: wanted.height };
    try {
      const image = await fetchImage(client, wanted.sourceUrl, { declared, maxBytes, signal });
      if (maxBytes === undefined || image.bytes.length <= maxBytes) return image;
    } catch (error) {
      if (maxBytes === undefined || !isTooLarge(error)) throw error;
    }
    return `the image has more than ${maxBytes} bytes`;
  }
}

/** After this number of failures in a row, opac sends no more requests to the host. */
const MAX_FAILURES_IN_A_ROW = 8;

/** Returns true if the host did not respond or is busy. */
function isHostFailure(error: unknown): boolean {
  const isBusy = error instanceof HttpError && (error.status === 429 || error.status === 503);
  return isBusy || isServerSilent(error);
}

function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/**
 * Returns the SHA-256 of the image. Throws an Error if the file exists with other content and is neither in the index nor in the
 * journal. Throws the reason of the signal.
 */
async function saveImage(
  file: string,
  bytes: Buffer,
  { name }: PlannedImage,
  folder: ImageFolder,
  signal: AbortSignal,
): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const before = folder.existingImages.get(name);
  if (before?.file !== file) {
    const existing = await computeSha256(folder.getPath(file));
    if (existing !== undefined && existing !== sha256)
      throw new Error(`"${file}" already exists, and opac did not download it`);
  }
  await folder.writeFile(file, bytes, signal);
  if (before && before.file !== file) await folder.removeImage(before);
  return sha256;
}

async function findUnchangedImage(
  wanted: PlannedImage,
  folder: ImageFolder,
): Promise<ExistingImage | undefined> {
  const image = folder.existingImages.get(wanted.name);
  if (image?.sourceUrl !== wanted.sourceUrl) return undefined;
  const sha256 = await computeSha256(folder.getPath(image.file), image.bytes);
  return sha256 !== undefined && sha256 === image.sha256 ? image : undefined;
}

export function createIndexRow(wanted: PlannedImage, image: ExistingImage): IndexRow {
  return toIndexRow({ ...wanted, ...image, status: 'current' });
}

async function saveSidecar(row: IndexRow, wanted: PlannedImage, folder: ImageFolder): Promise<void> {
  const { status: _, ...facts } = row;
  const content = formatSidecar({ ...facts, record: wanted.source ?? null });
  const file = getSidecarPath(row.file);
  const before = await readRegularFile(folder.getPath(file)).catch(() => undefined);
  if (before === content) return;
  const { sha256, record } = asObject(before === undefined ? undefined : tryParseJson(before));
  if (before !== undefined && (sha256 === undefined || record === undefined))
    throw new Error(`"${file}" already exists, and opac did not write it`);
  await folder.writeFile(file, content);
}
