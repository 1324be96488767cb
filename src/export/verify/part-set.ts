/** Checks that the given files are the complete set of parts of one export (`--part`). */
import { OpacError, UsageError } from '../../service/errors.js';
import { formatList } from '../../service/format-numbers.js';
import { pathExists } from '../../system/error-code.js';
import { manifestPath } from '../export-paths.js';
import { describeRenamedFile, findManifestOfUncompressed } from './find-exported-file.js';
import { type Manifest, readManifest } from './manifest.js';
import { findProblem } from './verify-files.js';

export interface PartSet {
  readonly paths: readonly string[];
  /** By path: the key of the first record that the file should contain, if the manifest of an earlier part names that record. */
  readonly firstRecords: ReadonlyMap<string, string>;
  /** Number of records of all parts together, according to the plan. */
  readonly total: number;
  /** The end of a sentence about records that are not in any slice; `''` without such records. */
  readonly unreachable: string;
}

interface Part {
  readonly number: number;
  readonly of: number;
  readonly path: string;
  readonly manifest: Manifest;
}

/** Returns zeros if the file is not a part. Limits the digits, because a manipulated number could need much memory. */
function readPart(manifest: Manifest | undefined, path: string) {
  const part = manifest?.job.part;
  if (typeof part !== 'string') return { number: 0, of: 0 };
  const [, number = 0, of = 0] = /^(\d{1,5})\/(\d{1,5})$/.exec(part)?.map(Number) ?? [];
  if (number === 0)
    throw new UsageError(
      `the manifest of "${path}" is damaged: its part is "${part}"`,
      'export the part again',
    );
  return { number, of };
}

/**
 * Returns undefined if no file is a part. Throws a UsageError if a part is missing or repeated, or belongs to another export, and
 * an OpacError if a part is incomplete or changed.
 */
export async function readPartSet(
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<PartSet | undefined> {
  const parts: Part[] = [];
  let other: string | undefined;
  for (const path of paths) {
    const manifest = await findManifest(path);
    const { number, of } = readPart(manifest, path);
    if (manifest?.plan && number > 0) parts.push({ number, of, path, manifest });
    else other ??= path;
  }
  const [first] = parts;
  if (!first) return undefined;
  if (other !== undefined)
    throw new UsageError(
      `"${first.path}" is part ${first.number}/${first.of} of an export, but "${other}" is not a part`,
      'use only the parts of one export, each with its manifest in the same folder',
    );
  assertComplete(first, parts);
  for (const part of parts) await checkContent(part, signal);
  return createPartSet(parts.toSorted((one, another) => one.number - another.number));
}

async function findManifest(path: string): Promise<Manifest | undefined> {
  for (const candidate of [manifestPath(path), findManifestOfUncompressed(path)])
    if (candidate && (await pathExists(candidate))) return readManifest(candidate);
  return undefined;
}

function createPartSet(parts: readonly Part[]): PartSet {
  const firstRecords = new Map<string, string>();
  let next: string | undefined;
  for (const { path, manifest } of parts) {
    if (next !== undefined && manifest.records > 0) {
      firstRecords.set(path, next);
      next = undefined;
    }
    next = manifest.plan?.next ?? next;
  }
  const { total = 0, unreachable = [] } = parts[0]?.manifest.plan ?? {};
  return {
    paths: parts.map(({ path }) => path),
    firstRecords,
    total,
    unreachable: unreachable.map(({ what, records }) => `: ${records} ${what}`).join(''),
  };
}

const MAX_NAMED_PARTS = 20;

function assertComplete(first: Part, parts: readonly Part[]): void {
  for (const other of parts) assertSameExport(first, other);
  for (const { number } of parts) {
    const same = parts.filter((each) => each.number === number);
    if (same.length > 1)
      throw new UsageError(
        `part ${number}/${first.of} was given more than once: ${same.map(({ path }) => `"${path}"`).join(' and ')}`,
      );
  }
  const missing = Array.from({ length: first.of }, (_, n) => n + 1).filter(
    (n) => !parts.some(({ number }) => number === n),
  );
  if (missing.length === 0) return;
  const which = formatList(
    missing.map((n) => `${n}/${first.of}`),
    MAX_NAMED_PARTS,
  );
  throw new UsageError(
    missing.length === 1 ? `part ${which} is missing` : `parts ${which} are missing`,
    `export each missing part with the same command and --part, for example --part ${missing[0]}/${first.of}`,
  );
}

/** Facts that must be equal in all parts of one export, by the names that error messages use. */
function getCommonFacts({ of, manifest: { job, tool, plan } }: Part): Readonly<Record<string, unknown>> {
  const sha256 = plan?.sha256.slice(0, 12);
  return { ...job, part: undefined, 'number of parts': of, version: tool, total: plan?.total, plan: sha256 };
}

function assertSameExport(first: Part, other: Part): void {
  const [one, two] = [getCommonFacts(first), getCommonFacts(other)];
  const print = (value: unknown) => JSON.stringify(value ?? null);
  for (const name of Object.keys({ ...first.manifest.job, ...other.manifest.job, ...one })) {
    if (print(one[name]) === print(two[name])) continue;
    throw new UsageError(
      `"${first.path}" and "${other.path}" belong to different exports: the ${name} of the first is ${print(one[name])}, of the second ${print(two[name])}`,
      'export all parts again with the same command',
    );
  }
}

async function checkContent({ path, manifest }: Part, signal: AbortSignal | undefined): Promise<void> {
  if (!manifest.complete)
    throw new OpacError('incomplete', `"${path}" is incomplete: ${manifest.reasons.join('; ')}`, {
      hint: 'run the export of this part again with --resume',
    });
  for (const file of manifest.files) {
    const problem = await findProblem(describeRenamedFile(path, file), file, signal);
    if (problem)
      throw new OpacError('incomplete', problem, { hint: 'export this part again', code: 'file-changed' });
  }
}
