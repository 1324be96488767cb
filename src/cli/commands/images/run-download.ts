/** Runs `opac images download`: plans and downloads the images, and reports the outcome. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_CONCURRENCY } from '../../../client/defaults.js';
import { type DownloadOutcome, downloadImages } from '../../../images/download/download.js';
import {
  createDownloadPlan,
  type DownloadPlan,
  type PlanOptions,
} from '../../../images/download/download-plan.js';
import { type FinishOutcome, finishDownload } from '../../../images/download/finish-download.js';
import { ImageFolder, readExistingImages } from '../../../images/download/image-folder.js';
import { parseImageColumn } from '../../../images/image-columns.js';
import { DEFAULT_TEMPLATE, parseTemplate } from '../../../images/names/name-template.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount } from '../../../service/format-numbers.js';
import { FileError } from '../../../system/file-error.js';
import type { Context } from '../../context.js';
import type { CommandResult } from '../../description/result.js';
import { count, formatBytes } from '../../output/terminal/numbers.js';
import { createReadProgress } from '../search/progress.js';
import { fetchFieldNames } from '../search/search-pages.js';
import type { DownloadInput } from './download-options.js';
import {
  createImageColumnResolver,
  type FoundRecords,
  findRecords,
  formatRefusal,
  noteNoImages,
  resolveRights,
} from './search.js';

const CREDIT_FIELD = 'credit_line';

/** Throws an OpacError of kind `incomplete` if images are missing or the search is incomplete. */
export async function runDownload(
  context: Context,
  input: DownloadInput,
): Promise<CommandResult | undefined> {
  const checked = await createPlanOptions(context, input);
  const found = await findRecords(context, input.search);
  const options = { ...checked, isWanted: found.isWanted };
  return input.dryRun ? reportPlan(input, found, options) : download(context, input, found, options);
}

/** Replaces labels of fields by names in `--name`, `--rights` and `--credit-line`. */
async function createPlanOptions(
  context: Context,
  input: DownloadInput,
): Promise<Omit<PlanOptions, 'isWanted'>> {
  const { kind } = input.search;
  const resolveColumn = createImageColumnResolver(context, kind);
  const resolve = async (name: string) => (await resolveColumn(parseImageColumn(name))).name;
  const text = input.name ?? DEFAULT_TEMPLATE;
  const names = input.name === undefined ? [] : parseTemplate(text).columns.map(({ name }) => name);
  const resolved = new Map(
    await Promise.all(names.map(async (name) => [name, await resolve(name)] as const)),
  );
  const template = parseTemplate(text, (name) => resolved.get(name) ?? name);
  const rights = await resolveRights(context, kind, input.rights);
  const creditLine = input.creditLine === undefined ? undefined : await resolve(input.creditLine);
  return {
    template,
    derivatives: input.derivative,
    rights,
    creditField: creditLine ?? CREDIT_FIELD,
    minWidth: input.minWidth,
    offset: input.search.paging.offset,
    limit: input.search.paging.limit,
    withRecords: input.sidecar,
    namedColumns: [
      ...(input.name === undefined ? [] : template.columns),
      ...[rights?.fields ?? [], creditLine ?? []].flat().map(parseImageColumn),
    ],
    publishedFields: () => fetchFieldNames(context, kind),
  };
}

async function download(
  context: Context,
  input: DownloadInput,
  found: FoundRecords,
  options: PlanOptions,
): Promise<undefined> {
  const { globalOptions } = context;
  const client = await context.client();
  const folder = await ImageFolder.open(input.folder, context.note, context.signal);
  const signal = AbortSignal.any([folder.lost, context.signal]);
  let isDone = false;
  try {
    const plan = await createDownloadPlan(found.pages, folder.work, options);
    const failure = found.failure();
    if (plan.found === 0) await noteNoImages(context, input.search.kind, found);
    if (plan.count === 0 && plan.refused > 0) await noteRefusal(plan, context);
    if (plan.found === 0 && folder.isUntouched && !failure) return undefined;
    const progress = createReadProgress(context);
    const downloaded = await downloadImages(plan, folder, {
      ...input,
      client,
      concurrency: globalOptions.concurrency ?? DEFAULT_CONCURRENCY,
      signal,
      onProgress: progress.update,
    }).finally(progress.done);
    // An incomplete search may have missed images that the service still has, so their files must not be deleted.
    // The same is true for a plan without images, because the service may have failed.
    const prune = input.prune && failure === undefined && plan.count > 0;
    const finished = await finishDownload(plan, folder, downloaded, { prune, signal });
    isDone = true;
    const isEmptied = input.prune && plan.count === 0 && finished.leftOver > 0;
    report(
      context,
      input,
      downloaded,
      finished,
      failure ?? (isEmptied ? createEmptiedError(plan, finished, folder) : undefined),
    );
  } catch (error) {
    throw isDone ? error : toInterruptedError(error, signal, folder);
  } finally {
    await folder.close(isDone);
  }
}

function createEmptiedError(
  { found }: DownloadPlan,
  { leftOver }: FinishOutcome,
  { path }: ImageFolder,
): OpacError {
  const reason = found > 0 ? 'the options exclude all images' : 'no images match';
  const cause = found > 0 ? 'you do not need the images' : 'the images were really removed from the service';
  return new OpacError(
    'incomplete',
    `${reason}, so --prune deleted none of the ${formatCount(leftOver, 'image')} in "${path}"`,
    { hint: `if ${cause}, delete the folder` },
  );
}

async function noteRefusal(plan: DownloadPlan, { note }: Context): Promise<void> {
  for await (const { status, reason } of plan.remarks())
    if (status === 'refused') return note(formatRefusal(reason));
}

/** Adds advice to the hint: how to fix a disk problem, and how to continue the download. Returns a UsageError unchanged. */
function toInterruptedError(error: unknown, signal: AbortSignal, folder: ImageFolder): unknown {
  const thrown = signal.aborted ? signal.reason : error;
  if (!(thrown instanceof OpacError) || thrown.kind === 'usage') return thrown;
  const fault = thrown instanceof FileError && thrown.fault?.isDiskProblem ? thrown.fault : undefined;
  if (folder.isUntouched && !fault) return thrown;
  const next = folder.isUntouched
    ? ''
    : `downloaded images are in "${folder.path}"; run the same command again to continue`;
  const hint = [thrown.hint, fault?.remedy, next].filter(Boolean).join('; ');
  const kind = thrown.kind === 'internal' || thrown.code === 'deadline' ? 'incomplete' : thrown.kind;
  return new OpacError(kind, thrown.message, { hint, code: thrown.code, cause: thrown });
}

function report(
  { note }: Context,
  { folder, prune }: DownloadInput,
  { images, fetched, unchanged, fetchedBytes }: DownloadOutcome,
  { remarks, firstFailure, leftOver, pruned }: FinishOutcome,
  failure: OpacError | undefined,
): void {
  const existing = unchanged > 0 ? `, ${count(unchanged)} already existed` : '';
  note(
    `${formatCount(images.size, 'image')} in "${folder}": ${count(fetched)} downloaded (${formatBytes(fetchedBytes)})${existing}`,
  );
  const notes = [
    [remarks.refused, 'skipped because of --rights'],
    [remarks.skipped, 'skipped because of --min-width or --max-bytes'],
    [remarks.substituted, 'downloaded in another size because the preferred size does not exist'],
    [remarks.renamed, 'renamed because several images have the same name'],
    [pruned, 'deleted: no longer in the search result'],
    [
      leftOver,
      prune || images.size === 0
        ? 'kept from earlier runs'
        : 'from earlier runs, no longer in the search result (--prune deletes such images)',
    ],
  ] as const;
  for (const [number, outcome] of notes) if (number > 0) note(`${formatCount(number, 'image')} ${outcome}`);
  if (firstFailure) {
    const { recordType, recordId, imageId, reason } = firstFailure;
    const first = `${recordType} ${recordId}, image ${imageId || firstFailure.position}: ${reason}`;
    const wanted = formatCount(remarks.failed + images.size, 'image');
    throw new OpacError(
      'incomplete',
      `${count(remarks.failed)} of ${wanted} could not be downloaded; first error: ${first}`,
      { hint: `the report in "${folder}" lists all of them; run the same command again to continue` },
    );
  }
  if (failure) throw failure;
}

/** Bytes per pixel of a photograph as a JPEG file of good quality. */
const BYTES_PER_PIXEL = 0.3;

async function reportPlan(
  { folder, maxBytes }: DownloadInput,
  found: FoundRecords,
  options: PlanOptions,
): Promise<CommandResult> {
  const work = await mkdtemp(join(tmpdir(), 'opac-'));
  try {
    const plan = await createDownloadPlan(found.pages, work, options);
    const { count: images, refused } = plan;
    const { existing, existingBytes, missingPixels } = await countExistingImages(plan, folder);
    const estimatedBytes = Math.round(missingPixels * BYTES_PER_PIXEL);
    const unknown =
      maxBytes === undefined
        ? ''
        : '; the estimate includes images above --max-bytes, because their size is not known yet';
    const text = [
      `${formatCount(images, 'image')} would be in "${folder}": ${count(existing)} already there (${formatBytes(existingBytes)}), ${count(images - existing)} to download`,
      `about ${formatBytes(estimatedBytes)} to download, estimated from the number of pixels${unknown}`,
      ...(refused > 0 ? [`${formatCount(refused, 'image')} skipped because of --rights`] : []),
    ].join('\n');
    const json = {
      folder,
      images,
      found: plan.found,
      existing,
      fetch: images - existing,
      estimatedBytes,
      refused,
    };
    return { kind: 'value', text, json, failure: found.failure };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function countExistingImages(plan: DownloadPlan, folder: string) {
  const files = await readExistingImages(folder);
  const counts = { existing: 0, existingBytes: 0, missingPixels: 0 };
  for await (const image of plan.wanted()) {
    const before = files.get(image.name);
    if (before?.sourceUrl === image.sourceUrl) {
      counts.existing++;
      counts.existingBytes += before.bytes;
    } else counts.missingPixels += (image.width ?? 0) * (image.height ?? 0);
  }
  return counts;
}
