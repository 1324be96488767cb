/** The parts of one export (--part): which files they are, and whether they are all of it. */
import { OpacError, UsageError } from '../../service/errors.js';
import { formatList } from '../../service/format-numbers.js';
import { pathExists } from '../../system/error-code.js';
import { manifestPath } from '../export-paths.js';
import { describeRenamedFile, findManifestOfUncompressed } from './find-exported-file.js';
import { type Manifest, readManifest } from './manifest.js';
import { findProblem } from './verify-files.js';

export interface PartSet {
  /** In the order of the parts. */
  readonly paths: readonly string[];
  /** The identity of the record that each file should begin with, where the part before it knew it. */
  readonly firstRecords: ReadonlyMap<string, string>;
  /** What all parts hold together, and what no slice could reach. */
  readonly total: number;
  readonly unreachable: string;
}

interface Part {
  readonly number: number;
  readonly of: number;
  readonly path: string;
  readonly manifest: Manifest;
}

/**
 * The set of parts that these files are; undefined when none of them is a part. Throws a UsageError for a set that is not
 * complete or not of one export, and an OpacError of kind `incomplete` for a part that is incomplete or changed.
 */
export async function readPartSet(
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<PartSet | undefined> {
  const parts: Part[] = [];
  let other: string | undefined;
  for (const path of paths) {
    const manifest = await manifestBeside(path);
    const [, number = 0, of = 0] = /^(\d+)\/(\d+)$/.exec(String(manifest?.job.part ?? ''))?.map(Number) ?? [];
    if (manifest?.plan && number > 0) parts.push({ number, of, path, manifest });
    else other ??= path;
  }
  const [first] = parts;
  if (!first) return undefined;
  if (other !== undefined)
    throw new UsageError(
      `"${first.path}" is part ${first.number}/${first.of} of an export, "${other}" is not a part`,
      'give all parts of one export and nothing else, each beside its manifest',
    );
  checkSet(first, parts);
  for (const part of parts) await checkContent(part, signal);
  return setOf(parts.toSorted((one, another) => one.number - another.number));
}

async function manifestBeside(path: string): Promise<Manifest | undefined> {
  for (const candidate of [manifestPath(path), findManifestOfUncompressed(path)])
    if (candidate && (await pathExists(candidate))) return readManifest(candidate);
  return undefined;
}

function setOf(parts: readonly Part[]): PartSet {
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

const MAX_NAMED = 20;

function checkSet(first: Part, parts: readonly Part[]): void {
  for (const other of parts) checkSameExport(first, other);
  for (const { number } of parts) {
    const same = parts.filter((each) => each.number === number);
    if (same.length > 1)
      throw new UsageError(
        `part ${number}/${first.of} was given twice: ${same.map(({ path }) => `"${path}"`).join(' and ')}`,
      );
  }
  const missing = Array.from({ length: first.of }, (_, n) => n + 1).filter(
    (n) => !parts.some(({ number }) => number === n),
  );
  if (missing.length === 0) return;
  const which = formatList(
    missing.map((n) => `${n}/${first.of}`),
    MAX_NAMED,
  );
  throw new UsageError(
    `${missing.length === 1 ? 'part' : 'parts'} ${which} missing`,
    `export it with --part ${missing[0]}/${first.of}`,
  );
}

/** What all parts of one export have in common. */
function factsOf({ of, manifest: { job, tool, plan } }: Part): Readonly<Record<string, unknown>> {
  const sha256 = plan?.sha256.slice(0, 12);
  return { ...job, part: undefined, 'number of parts': of, version: tool, total: plan?.total, plan: sha256 };
}

function checkSameExport(first: Part, other: Part): void {
  const [one, two] = [factsOf(first), factsOf(other)];
  const print = (value: unknown) => JSON.stringify(value ?? null);
  for (const name of Object.keys({ ...first.manifest.job, ...other.manifest.job, ...one })) {
    if (print(one[name]) === print(two[name])) continue;
    throw new UsageError(
      `"${first.path}" and "${other.path}" are not parts of one export: the ${name} is ${print(one[name])} in one and ${print(two[name])} in the other`,
      'export all parts again with the same command',
    );
  }
}

async function checkContent({ path, manifest }: Part, signal: AbortSignal | undefined): Promise<void> {
  if (!manifest.complete)
    throw new OpacError('incomplete', `"${path}" is incomplete: ${manifest.reasons.join('; ')}`, {
      hint: 'run its export again with --resume',
    });
  for (const file of manifest.files) {
    const problem = await findProblem(describeRenamedFile(path, file), file, signal);
    if (problem)
      throw new OpacError('incomplete', problem, { hint: 'export this part again', code: 'file-changed' });
  }
}
