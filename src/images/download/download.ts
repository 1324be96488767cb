/** Downloads the images of a plan, several at once, each checked; skips those already there. */
import { createHash } from 'node:crypto';
import type { Client } from '../../client/client.js';
import { HttpError } from '../../client/errors/http-error.js';
import { isTooLarge } from '../../client/fetch-file.js';
import { FileError } from '../../system/file-error.js';
import { type FetchedImage, fetchImage } from '../fetch-image.js';
import { createReportRow, type DownloadPlan, type PlannedImage } from './download-plan.js';
import { computeSha256, type ExistingImage, type ImageFolder, isSameSource } from './image-folder.js';
import { type IndexRow, indexRow, type ReportRow } from './index-file.js';

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
  /** Wanted images that are in the folder, by name. */
  readonly images: ReadonlyMap<string, ExistingImage>;
  readonly remarks: readonly ReportRow[];
  readonly fetched: number;
  readonly fetchedBytes: number;
  readonly kept: number;
}

/** More workers than requests, so that one can wait while others write. */
const EXTRA_WORKERS = 2;

/** Images that fail become remarks of kind `failed`. Throws the signal's reason when interrupted. */
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
      const remark = await download.one(wanted);
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
  readonly totals = { fetched: 0, fetchedBytes: 0, kept: 0 };
  readonly #folder: ImageFolder;
  readonly #options: DownloadOptions;
  readonly #givenUp = new GivenUp();

  constructor(folder: ImageFolder, options: DownloadOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** Brings one image into the folder, or says why not. */
  async one(wanted: PlannedImage): Promise<ReportRow | undefined> {
    const { signal, sidecar } = this.#options;
    try {
      const kept = await findUnchangedImage(wanted, this.#folder);
      if (kept) this.totals.kept++;
      const held = kept ?? (await this.#fetchInto(wanted));
      if (typeof held === 'string') return createReportRow(wanted, 'skipped', held);
      this.images.set(wanted.name, held);
      if (sidecar) await placeSidecar(createIndexRow(wanted, held), wanted, this.#folder);
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      this.#givenUp.recordFailure(wanted, error);
      return createReportRow(wanted, 'failed', error instanceof Error ? error.message : String(error));
    }
  }

  /** The file now in place, or why the image is not wanted after all. */
  async #fetchInto(wanted: PlannedImage): Promise<ExistingImage | string> {
    const { minWidth } = this.#options;
    const given = this.#givenUp.getOpenReason(wanted);
    if (given !== undefined) throw new Error(given);
    const image = await this.#fetch(wanted);
    this.#givenUp.recordResponse(wanted);
    if (typeof image === 'string') return image;
    const { bytes, width, height } = image;
    if (minWidth !== undefined && width < minWidth) return `it is ${width} pixels wide`;
    const file = `${wanted.name}.${image.extension}`;
    const sha256 = await placeImage(file, bytes, wanted, this.#folder);
    const held = { file, sourceUrl: wanted.sourceUrl, sha256, bytes: bytes.length, width, height };
    await this.#folder.addToJournal(createIndexRow(wanted, held));
    this.totals.fetched++;
    this.totals.fetchedBytes += bytes.length;
    return held;
  }

  async #fetch(wanted: PlannedImage): Promise<FetchedImage | string> {
    const { maxBytes, anySize, client, signal } = this.#options;
    const stated = anySize ? undefined : { width: wanted.width, height: wanted.height };
    try {
      const image = await fetchImage(client, wanted.sourceUrl, { stated, maxBytes, signal });
      if (maxBytes === undefined || image.bytes.length <= maxBytes) return image;
    } catch (error) {
      if (maxBytes === undefined || !isTooLarge(error)) throw error;
    }
    return `it has more than ${maxBytes} bytes`;
  }
}

/** Failures in a row without a response, or because it is busy, after which a host is given up. */
const MAX_FAILURES = 8;

/** Gives up hosts that do not respond, and a disk that takes nothing. */
class GivenUp {
  readonly #silent = new Map<string, number>();
  #disk: string | undefined;

  getOpenReason({ sourceUrl }: PlannedImage): string | undefined {
    if (this.#disk !== undefined) return `not tried, because ${this.#disk}`;
    const host = hostOf(sourceUrl);
    return (this.#silent.get(host) ?? 0) >= MAX_FAILURES
      ? `not tried, because ${host} does not answer`
      : undefined;
  }

  recordResponse({ sourceUrl }: PlannedImage): void {
    this.#silent.set(hostOf(sourceUrl), 0);
  }

  recordFailure({ sourceUrl }: PlannedImage, error: unknown): void {
    // A file size limit (EFBIG) stops only large files.
    if (error instanceof FileError && error.fault?.isDiskProblem && !/ulimit/.test(error.fault.remedy ?? ''))
      this.#disk = error.fault.reason;
    if (!(error instanceof HttpError)) return;
    const host = hostOf(sourceUrl);
    // No status but a cause: the network failed.
    const isSilent = error.status === undefined && error.cause !== undefined && !isTooLarge(error);
    const isBusy = error.status === 429 || error.status === 503;
    this.#silent.set(host, isSilent || isBusy ? (this.#silent.get(host) ?? 0) + 1 : 0);
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** In place of the earlier file of the image, but of no file of somebody else. Gives its digest. */
async function placeImage(
  file: string,
  bytes: Buffer,
  { name }: PlannedImage,
  folder: ImageFolder,
): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const before = folder.existingImages.get(name);
  if (before?.file !== file) {
    const there = await computeSha256(folder.pathOf(file));
    if (there !== undefined && there !== sha256)
      throw new Error(`a file "${file}" is there that was not downloaded here`);
  }
  await folder.writeFile(file, bytes);
  if (before && before.file !== file) await removeImage(before.file, folder);
  return sha256;
}

/** An unchanged file of an earlier run from the same address. */
async function findUnchangedImage(
  wanted: PlannedImage,
  folder: ImageFolder,
): Promise<ExistingImage | undefined> {
  const held = folder.existingImages.get(wanted.name);
  if (!held || !isSameSource(held.sourceUrl, wanted.sourceUrl)) return undefined;
  const sha256 = await computeSha256(folder.pathOf(held.file), held.bytes);
  return sha256 !== undefined && sha256 === held.sha256 ? held : undefined;
}

export function createIndexRow(wanted: PlannedImage, held: ExistingImage): IndexRow {
  // The file may be from an earlier run, which had another address on this machine.
  return indexRow({ ...wanted, ...held, sourceUrl: wanted.sourceUrl, status: 'current' });
}

const getSidecarPath = (file: string) => `${file}.json`;

/** Removes an image and the record beside it. */
export async function removeImage(file: string, folder: ImageFolder): Promise<void> {
  await folder.remove(getSidecarPath(file));
  await folder.remove(file);
}

async function placeSidecar(row: IndexRow, wanted: PlannedImage, folder: ImageFolder): Promise<void> {
  const { status: _, ...about } = row;
  const content = `${JSON.stringify({ ...about, record: wanted.source ?? null }, null, 2)}\n`;
  const file = getSidecarPath(row.file);
  const sha256 = createHash('sha256').update(content).digest('hex');
  if ((await computeSha256(folder.pathOf(file))) !== sha256) await folder.writeFile(file, content);
}
