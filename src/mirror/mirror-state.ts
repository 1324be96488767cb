/** A mirror folder: its snapshots, and its state in `mirror.json`. A run replaces the other files before `mirror.json`. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestPath } from '../export/export-paths.js';
import { OpacError, UsageError } from '../service/errors.js';
import { isObject } from '../service/json.js';
import { KINDS, RECORD_KINDS } from '../service/kinds.js';
import { tryParseJson } from '../service/parse-json.js';
import { isMissing, pathExists } from '../system/error-code.js';
import { fileError } from '../system/file-error.js';
import { NotRegularFileError, readRegularFile } from '../system/regular-file.js';
import { type Content, checkContent, SIZE } from '../system/schema.js';
import * as v from '../system/valibot.js';

/** The version of the file format. Increase it if older versions of opac would misread new mirrors. */
export const MIRROR_FORMAT = 2;
export const STATE_FILE = 'mirror.json';
export const CHANGES_FOLDER = 'changes';
export const OLD_FOLDER = 'old';

const KIND_STATE = v.object({
  /** The field of `--newest-first`. Records that were edited after the last run began have at least `value` in this field. */
  newest: v.optional(v.object({ field: v.string(), value: v.string() })),
});
export type KindState = Content<typeof KIND_STATE>;

const CHANGE_LOG = v.pipe(v.string(), v.regex(/^changes[/\\][\w:-][\w.:-]*$/));

const STATE = v.object({
  format: SIZE,
  tool: v.string(),
  deployment: v.string(),
  query: v.array(v.tuple([v.string(), v.string()])),
  /** The file extension of the snapshots. It must be safe in file names and in a regular expression. */
  ending: v.pipe(v.string(), v.regex(/^\w+(\.\w+)*$/)),
  runs: SIZE,
  /** The number of incremental runs since the last run that read all records. */
  sinceFull: SIZE,
  /** The start of the last run, in ISO 8601. File names contain this time, so each run needs a later time than the run before. */
  updated: v.pipe(v.string(), v.regex(/^[\dTZ:.-]+$/)),
  /** The change log of the last run; undefined if nothing changed. */
  changes: v.optional(CHANGE_LOG),
  /** The change logs that `--on-change` must still process, the oldest first; undefined before the first run with this option. */
  pending: v.optional(v.array(CHANGE_LOG)),
  /** The time of the first run, in ISO 8601, until a run finds a change or cannot look for changes. Then always undefined. */
  unchangedSince: v.optional(v.string()),
  kinds: v.object(v.entriesFromList(RECORD_KINDS, v.optional(KIND_STATE))),
});
export type MirrorState = Content<typeof STATE>;

export function serializeState(state: MirrorState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

/**
 * Returns undefined for an empty or missing folder. Otherwise, throws a UsageError for a state that is missing, invalid or from
 * a newer version of opac.
 */
export async function readMirrorState(folder: string): Promise<MirrorState | undefined> {
  const path = join(folder, STATE_FILE);
  let text: string;
  try {
    text = await readRegularFile(path);
  } catch (error) {
    if (!isMissing(error)) throw fileError(error, 'read', path);
    const others = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'));
    if (others.length === 0) return undefined;
    throw new UsageError(
      `"${folder}" contains files, but is not a mirror folder: ${STATE_FILE} is missing`,
      'use another folder',
    );
  }
  const state = tryParseJson(text);
  if (isObject(state) && Number(state.format) > MIRROR_FORMAT)
    throw new UsageError(
      `a newer version of opac created "${folder}"${state.tool ? ` (${state.tool})` : ''}`,
      'use that version',
    );
  return checkContent(STATE, state, (key) => {
    const damaged = `"${path}" is damaged${key === '' ? '' : `: invalid "${key}"`}`;
    return new UsageError(damaged, 'create a new mirror in another folder');
  });
}

type MirrorSettings = Pick<MirrorState, 'deployment' | 'query' | 'ending'>;

export function assertSameSettings(folder: string, state: MirrorSettings, settings: MirrorSettings): void {
  const [before, now] = [describeSettings(state), describeSettings(settings)];
  const different = Object.keys(now).find((name) => before[name] !== now[name]);
  if (different === undefined) return;
  throw new UsageError(
    `"${folder}" is a mirror with another ${different}: ${before[different]}, not ${now[different]}`,
    'use another folder',
  );
}

function describeSettings({ deployment, query, ending }: MirrorSettings): Record<string, string> {
  const search = query.map((parameter) => parameter.join('=')).join('&');
  return { deployment, search: `"${search}"`, 'file extension': ending };
}

export const SNAPSHOT = new RegExp(`^(${KINDS.join('|')})\\.(ndjson|json)(\\.gz|\\.zst)?$`);

/**
 * Throws a UsageError if a subfolder, a snapshot or a manifest is a link or a pipe, because opac must not read or write files
 * outside of the mirror.
 */
export async function refuseLinks(folder: string): Promise<void> {
  for (const name of [CHANGES_FOLDER, OLD_FOLDER]) await folderExists(join(folder, name));
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const isSnapshot = SNAPSHOT.test(entry.name.replace(/\.manifest\.json$/, ''));
    if (isSnapshot) assertIsFile(entry, folder);
  }
}

export function assertIsFile(entry: Dirent, folder: string): void {
  const path = join(folder, entry.name);
  if (!entry.isFile()) throw fileError(new NotRegularFileError(path), 'read', path);
}

/** Throws a UsageError if the path is a file or a link. Through a link, opac would change files in another folder. */
export async function folderExists(path: string): Promise<boolean> {
  const found = await lstat(path).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found && !found.isDirectory()) throw new UsageError(`"${path}" is not a folder`, 'delete it');
  return found !== undefined;
}

/**
 * Returns the sorted paths of the snapshots. Throws a UsageError for links and for a folder that is not a mirror, and an
 * OpacError of kind `incomplete` if files are missing.
 */
export async function findSnapshots(folder: string): Promise<readonly string[]> {
  await refuseLinks(folder);
  const names = (await readdir(folder)).filter((name) => SNAPSHOT.test(name)).sort();
  const state = (await pathExists(join(folder, STATE_FILE))) ? await readMirrorState(folder) : undefined;
  const missing = Object.keys(state?.kinds ?? {}).find((kind) => !names.includes(`${kind}.${state?.ending}`));
  if (missing !== undefined)
    throw new OpacError('incomplete', `the mirror "${folder}" has no snapshot of ${missing}`, {
      hint: 'create it again with: opac sync',
      code: 'file-changed',
    });
  const paths = names.map((name) => join(folder, name));
  // A folder that is not a mirror may contain files with these names. A mirror also contains their manifests.
  for (const path of paths) if (await pathExists(manifestPath(path))) return paths;
  if (state)
    throw new OpacError('incomplete', `the mirror "${folder}" has no manifest`, {
      hint: 'delete its snapshots, and run opac sync again',
      code: 'no-manifest',
    });
  throw new UsageError(
    `"${folder}" is not a mirror folder: it has no export manifest`,
    'create a mirror with "opac sync", or name the files instead of the folder',
  );
}
