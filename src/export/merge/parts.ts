/** The parts of one job: which files they are, and whether they are all of it. Any other set is refused by name. */
import { dirname } from 'node:path';
import { OpacError, UsageError } from '../../service/errors.js';
import { named } from '../../service/grouped.js';
import { exists } from '../../system/file-errors.js';
import { type Place, placeIn, renamedPlace } from '../rotated.js';
import { type Manifest, readManifest } from '../run/manifest.js';
import { findManifest, problemOf } from '../verify.js';

export interface MergedPart {
  readonly number: number;
  readonly of: number;
  /** As it was named. */
  readonly path: string;
  readonly manifest: Manifest;
  readonly places: readonly Place[];
}

/**
 * The parts in their order. Throws a UsageError for a set that is not one job's: a part missing or there twice, of another
 * search, total, plan or version; an OpacError of kind `incomplete` for a part that is incomplete, changed or has no manifest.
 */
export async function readParts(
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly MergedPart[]> {
  const parts: MergedPart[] = [];
  const manifests = new Set<string>();
  for (const path of paths) {
    const found = await findManifest(path, signal);
    const manifest = await readManifest(found);
    // The files of a part that was split have one manifest together.
    if (manifests.has(found) && manifest.files.length > 1) continue;
    manifests.add(found);
    const [, number = 0, of = 0] = /^(\d+)\/(\d+)$/.exec(String(manifest.job.part ?? ''))?.map(Number) ?? [];
    if (!manifest.plan || number === 0)
      throw new UsageError(
        `"${path}" is not a part of an export`,
        'export parts with --part 1/8, --part 2/8, …',
      );
    const folder = dirname(found);
    // A split part of one file is named as it was with -o.
    const isRenamed = manifest.files.length === 1 && path !== found && (await exists(path));
    const places = await Promise.all(
      manifest.files.map(async (file) => (isRenamed ? renamedPlace(path, file) : placeIn(folder, file))),
    );
    parts.push({ number, of, path, manifest, places });
  }
  checkSet(parts);
  for (const part of parts) await checkContent(part, signal);
  return parts.sort((one, other) => one.number - other.number);
}

const FACTS: readonly { readonly name: string; readonly of: (part: MergedPart) => unknown }[] = [
  { name: 'number of parts', of: ({ of }) => of },
  { name: 'version', of: ({ manifest }) => manifest.tool },
  { name: 'total', of: ({ manifest }) => manifest.plan?.total },
  { name: 'plan', of: ({ manifest }) => manifest.plan?.sha256.slice(0, 12) },
];

const MOST_NAMED = 20;

function checkSet(parts: readonly MergedPart[]): void {
  const [first, ...others] = parts;
  if (!first) throw new UsageError('no parts to merge');
  for (const other of others) {
    const jobs = [first.manifest.job, other.manifest.job];
    const names = [...new Set(jobs.flatMap((job) => Object.keys(job)))].filter((name) => name !== 'part');
    const facts = [
      ...names.map((name) => ({ name, of: ({ manifest }: MergedPart) => manifest.job[name] })),
      ...FACTS,
    ];
    const differing = facts.find(({ of }) => JSON.stringify(of(first)) !== JSON.stringify(of(other)));
    if (!differing) continue;
    const said = (part: MergedPart) => JSON.stringify(differing.of(part) ?? null);
    throw new UsageError(
      `"${first.path}" and "${other.path}" are not parts of one export: the ${differing.name} is ${said(first)} in one and ${said(other)} in the other`,
      'export the parts again, all with the same command and in one go',
    );
  }
  for (const { number } of parts) {
    const same = parts.filter((each) => each.number === number);
    if (same.length > 1)
      throw new UsageError(
        `part ${number}/${first.of} is there twice: ${same.map(({ path }) => `"${path}"`).join(' and ')}`,
      );
    if (number > first.of)
      throw new UsageError(`there is no part ${number} of ${first.of}: "${same[0]?.path}"`);
  }
  const missing = Array.from({ length: first.of }, (_, n) => n + 1).filter(
    (n) => !parts.some(({ number }) => number === n),
  );
  if (missing.length > 0) {
    const which = named(
      missing.map((n) => `${n}/${first.of}`),
      MOST_NAMED,
    );
    throw new UsageError(
      `${missing.length === 1 ? 'part' : 'parts'} ${which} missing`,
      `export it with --part ${missing[0]}/${first.of}`,
    );
  }
}

async function checkContent(
  { path, manifest, places }: MergedPart,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!manifest.complete) {
    const hint = 'get the rest of it with --resume';
    throw new OpacError('incomplete', `"${path}" is incomplete: ${manifest.reasons.join('; ')}`, { hint });
  }
  for (const [n, file] of manifest.files.entries()) {
    const problem = await problemOf(places[n] as Place, file, signal);
    if (problem) throw changedPart(problem);
  }
}

export function changedPart(problem: string): OpacError {
  return new OpacError('incomplete', problem, { hint: 'export this part again', code: 'file-changed' });
}
