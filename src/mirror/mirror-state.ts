/** What a mirror says about itself: `mirror.json` in its folder, replaced last. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../service/errors.js';
import { isObject } from '../service/json.js';
import { RECORD_KINDS } from '../service/kinds.js';
import { tryParseJson } from '../service/parse-json.js';
import { isMissing } from '../system/error-code.js';
import { fileError } from '../system/file-error.js';
import { readRegularFile } from '../system/regular-file.js';
import { type Content, checkContent, SIZE } from '../system/schema.js';
import * as v from '../system/valibot.js';

/** Raised whenever an older version would misread a mirror. */
export const MIRROR_FORMAT = 2;
export const STATE_FILE = 'mirror.json';
export const CHANGES_FOLDER = 'changes';

const KIND_STATE = v.object({
  /** A value that every edit since the last run began is equal to or above. */
  newest: v.optional(v.object({ field: v.string(), value: v.string() })),
});
export type KindState = Content<typeof KIND_STATE>;

const CHANGE_LOG = v.pipe(v.string(), v.regex(/^changes[/\\][\w:-][\w.:-]*$/));

const STATE = v.object({
  format: SIZE,
  tool: v.string(),
  deployment: v.string(),
  query: v.array(v.tuple([v.string(), v.string()])),
  /** The extension of its snapshots: part of names, and of a pattern for them. */
  ending: v.pipe(v.string(), v.regex(/^\w+(\.\w+)*$/)),
  runs: SIZE,
  /** Runs since everything was read. */
  sinceFull: SIZE,
  /** When the last run began, ISO 8601; later than that of any run before. Names of old snapshots are made of it. */
  updated: v.pipe(v.string(), v.regex(/^[\dTZ:.-]+$/)),
  /** The changes that the last run found, undefined for none. */
  changes: v.optional(CHANGE_LOG),
  /** Files of changes that no command has taken yet, oldest first; undefined before the first command. */
  pending: v.optional(v.array(CHANGE_LOG)),
  kinds: v.object(v.entriesFromList(RECORD_KINDS, v.optional(KIND_STATE))),
});
export type MirrorState = Content<typeof STATE>;

export function printState(state: MirrorState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** The state of the mirror in a folder, undefined for a new one. Throws a UsageError for a folder that is another's. */
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
      `"${folder}" is not empty, and no mirror: it has no ${STATE_FILE}`,
      'name another folder',
    );
  }
  const state = tryParseJson(text);
  if (isObject(state) && Number(state.format) > MIRROR_FORMAT)
    throw new UsageError(
      `"${folder}" was made by a newer version (${state.tool ?? 'which it does not say'})`,
      'use that version of opac',
    );
  return checkContent(STATE, state, (member) => {
    const damaged = `"${path}" is damaged${member === '' ? '' : `: its "${member}"`}`;
    return new UsageError(damaged, 'make the mirror again in another folder');
  });
}

/** Throws a UsageError when the mirror is of another deployment or another search. */
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
    `"${folder}" is the mirror of another ${differing}: ${was}, not ${is}`,
    'name another folder',
  );
}
