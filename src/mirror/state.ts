/** What a mirror says about itself: `mirror.json` in its folder, replaced last. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../service/errors.js';
import { isObject } from '../service/json.js';
import type { RecordKind } from '../service/kinds.js';
import { parseJson } from '../service/parse-json.js';
import type { QueryParameters } from '../service/search/search.js';
import { isMissing } from '../system/error-code.js';
import { fileError } from '../system/file-error.js';
import { readOurs } from '../system/our-file.js';
import {
  listOf,
  members,
  orAbsent,
  pair,
  type Shape,
  size,
  text as string,
  wrongMember,
} from '../system/shape.js';

/** Raised whenever an older version would misread a mirror. */
export const MIRROR_FORMAT = 1;
export const STATE_FILE = 'mirror.json';
export const CHANGES_FOLDER = 'changes';

export interface KindState {
  readonly records: number;
  /** Requests that a full export takes. */
  readonly requests: number;
  /** A value that every edit since the last run began is equal to or above. */
  readonly newest?: { readonly field: string; readonly value: string } | undefined;
}

export interface MirrorState {
  readonly format: number;
  readonly tool: string;
  readonly deployment: string;
  readonly query: QueryParameters;
  /** The extension of its snapshots. */
  readonly ending: string;
  readonly runs: number;
  /** Runs since everything was read. */
  readonly sinceFull: number;
  /** When the last run began, ISO 8601; later than that of any run before. */
  readonly updated: string;
  /** The changes that the last run found, undefined for none. */
  readonly changes?: string | undefined;
  /** Files of changes that no command has taken yet, oldest first; undefined before the first command. */
  readonly pending?: readonly string[] | undefined;
  readonly kinds: Readonly<Partial<Record<RecordKind, KindState>>>;
}

const changeLog: Shape = (value) => typeof value === 'string' && /^changes[/\\][\w:-][\w.:-]*$/.test(value);

const kindState = members({
  records: size,
  requests: size,
  newest: orAbsent(members({ field: string, value: string })),
});

const SHAPE: Readonly<Record<keyof MirrorState, Shape>> = {
  format: size,
  tool: string,
  deployment: string,
  query: listOf(pair(string, string)),
  // Part of names, and of a pattern for them.
  ending: (value) => typeof value === 'string' && /^\w+(\.\w+)*$/.test(value),
  runs: size,
  sinceFull: size,
  // Names of old snapshots are made of it.
  updated: (value) => typeof value === 'string' && /^[\dTZ:.-]+$/.test(value),
  changes: orAbsent(changeLog),
  pending: orAbsent(listOf(changeLog)),
  kinds: (value) => isObject(value) && Object.values(value).every(kindState),
};

export function printState(state: MirrorState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

/** The state of the mirror in a folder, undefined for a new one. Throws a UsageError for a folder that is another's. */
export async function readMirrorState(folder: string): Promise<MirrorState | undefined> {
  const path = join(folder, STATE_FILE);
  let text: string;
  try {
    text = await readOurs(path);
  } catch (error) {
    if (!isMissing(error)) throw fileError(error, 'read', path);
    const others = (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'));
    if (others.length === 0) return undefined;
    throw new UsageError(
      `"${folder}" is not empty, and no mirror: it has no ${STATE_FILE}`,
      'name another folder',
    );
  }
  const state = parsed(text);
  if (isObject(state) && Number(state.format) > MIRROR_FORMAT)
    throw new UsageError(
      `"${folder}" was made by a newer version (${state.tool ?? 'which it does not say'})`,
      'use that version of opac',
    );
  const wrong = wrongMember(state, SHAPE);
  if (wrong !== undefined)
    throw new UsageError(
      wrong === '' ? `"${path}" is damaged` : `"${path}" is damaged: its "${wrong}"`,
      'make the mirror again in another folder',
    );
  return state as unknown as MirrorState;
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

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
