/** The contents of a mirror folder: its snapshots, and its state in `mirror.json`, which each run replaces last. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestPath } from '../export/export-paths.js';
import { UsageError } from '../service/errors.js';
import { isObject } from '../service/json.js';
import { KINDS, RECORD_KINDS } from '../service/kinds.js';
import { tryParseJson } from '../service/parse-json.js';
import { isMissing, pathExists } from '../system/error-code.js';
import { fileError } from '../system/file-error.js';
import { readRegularFile } from '../system/regular-file.js';
import { type Content, checkContent, SIZE } from '../system/schema.js';
import * as v from '../system/valibot.js';

/** Increase it if older versions would misread a mirror. */
export const MIRROR_FORMAT = 2;
export const STATE_FILE = 'mirror.json';
export const CHANGES_FOLDER = 'changes';

const KIND_STATE = v.object({
  /** Edits since the beginning of the last run have this value or a higher one. */
  newest: v.optional(v.object({ field: v.string(), value: v.string() })),
});
export type KindState = Content<typeof KIND_STATE>;

const CHANGE_LOG = v.pipe(v.string(), v.regex(/^changes[/\\][\w:-][\w.:-]*$/));

const STATE = v.object({
  format: SIZE,
  tool: v.string(),
  deployment: v.string(),
  query: v.array(v.tuple([v.string(), v.string()])),
  /** The file extension of the snapshots. It is used in file names and in a pattern. */
  ending: v.pipe(v.string(), v.regex(/^\w+(\.\w+)*$/)),
  runs: SIZE,
  /** The number of runs since opac read all records. */
  sinceFull: SIZE,
  /** When the last run began, in ISO 8601; always later than earlier runs. Names of old snapshots contain it. */
  updated: v.pipe(v.string(), v.regex(/^[\dTZ:.-]+$/)),
  /** The change log of the last run; undefined if nothing changed. */
  changes: v.optional(CHANGE_LOG),
  /** Change logs that no command has processed yet, oldest first; undefined before the first command. */
  pending: v.optional(v.array(CHANGE_LOG)),
  kinds: v.object(v.entriesFromList(RECORD_KINDS, v.optional(KIND_STATE))),
});
export type MirrorState = Content<typeof STATE>;

export function serializeState(state: MirrorState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** The state of the mirror in a folder; undefined for an empty folder. Throws a UsageError for a folder with other files. */
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
      `"${folder}" is not empty and not a mirror folder: ${STATE_FILE} is missing`,
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

/** Throws a UsageError if the mirror is from another deployment or another search. */
export function assertSameSearch(
  folder: string,
  state: MirrorState,
  now: Pick<MirrorState, 'deployment' | 'query' | 'ending'>,
): void {
  const differing = (['deployment', 'query', 'ending'] as const).find(
    (name) => JSON.stringify(state[name]) !== JSON.stringify(now[name]),
  );
  if (differing === undefined) return;
  const [was, is] = [state, now].map((each) => JSON.stringify(each[differing]));
  throw new UsageError(
    `"${folder}" is a mirror with another ${differing}: ${was}, not ${is}`,
    'use another folder',
  );
}

const SNAPSHOT = new RegExp(`^(${KINDS.join('|')})\\.(ndjson|json)(\\.gz|\\.zst)?$`);

/** Their paths, sorted by name. Throws a UsageError for a folder that is not a mirror. */
export async function findSnapshots(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => SNAPSHOT.test(name)).sort();
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) if (await pathExists(manifestPath(path))) return paths;
  throw new UsageError(
    `"${folder}" is not a mirror folder: it has no export manifest`,
    'create a mirror with "opac sync", or name files',
  );
}
