/** Reads the change logs of a mirror. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CHANGE_KINDS } from '../diff/changes.js';
import { createJsonRecord } from '../diff/snapshot-record.js';
import type { Difference } from '../diff/tally.js';
import { UsageError } from '../service/errors.js';
import { asObject } from '../service/json.js';
import { RECORD_KINDS, type RecordKind } from '../service/kinds.js';
import { parseJsonLossless, tryParseJson } from '../service/parse-json.js';
import { inputError } from '../system/file-error.js';
import { openInput } from '../system/open-stream.js';
import { checkContent, TEXTS } from '../system/schema.js';
import { splitLines } from '../system/split-lines.js';
import * as v from '../system/valibot.js';
import { assertIsFile, CHANGES_FOLDER, folderExists, readMirrorState } from './mirror-state.js';

const CHANGE = v.object({ field: v.string(), change: v.picklist(CHANGE_KINDS), old: TEXTS, new: TEXTS });
const DIFFERENCE = v.object({
  kind: v.picklist(RECORD_KINDS),
  id: v.string(),
  title: v.string(),
  accessionNumber: v.optional(v.string()),
  change: v.picklist(['added', 'removed', 'changed']),
  changes: v.array(CHANGE),
});
/** The text before the complete new record, which is the last part of a line. */
const RECORD = ',"record":';

/** How each line of a change log begins. Lines of exports and list responses begin differently. */
const START = new RegExp(`^\\{"kind":"(?:${RECORD_KINDS.join('|')})","id":"`);
const MAX_START_BYTES = 40;

/** Whether a file begins like a change log. Does not read pipes, because their content can be read only once. */
export async function isChangeLog(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false;
    const stream = createReadStream(path, { encoding: 'latin1', end: MAX_START_BYTES });
    for await (const text of stream) return START.test(String(text));
  } catch {
    // Ignores the error. It occurs again when opac reads the complete file.
  }
  return false;
}

export async function* readChangeLog(path: string, signal: AbortSignal): AsyncGenerator<Difference> {
  let line = 0;
  const createError = () =>
    new UsageError(
      `"${path}" is not a change log of a mirror (line ${line})`,
      'to compare two exports, name both files; to show changes, name a mirror or a file in its folder "changes"',
    );
  try {
    for await (const text of splitLines(openInput(path, { signal }).setEncoding('utf8'))) {
      line++;
      const difference = checkContent(DIFFERENCE, tryParseJson(text), createError);
      const at = text.indexOf(RECORD);
      const bytes = Buffer.from(at < 0 ? '' : text.slice(at + RECORD.length, -1));
      const raw = at < 0 ? undefined : asObject(parseJsonLossless(bytes));
      yield { ...difference, context: {}, newer: raw && createJsonRecord(raw, difference.kind, bytes) };
    }
  } catch (error) {
    signal.throwIfAborted();
    throw inputError(error, path);
  }
}

const LOG_NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\b.*Z\.ndjson$/;

interface ChangeLog {
  readonly path: string;
  readonly startedAt: Date;
}

/** Returns the time in the name of a change log: the start of its run; undefined for the name of another file. */
export function readRunTime(path: string): Date | undefined {
  const [, day, ...time] = LOG_NAME.exec(basename(path)) ?? [];
  return day === undefined ? undefined : new Date(`${day}T${time.join(':')}Z`);
}

/**
 * Returns the logs, the oldest first; with `since`, only the logs from that time on. Throws a UsageError for links, and if the
 * mirror does not know all changes from that time on.
 */
export async function findChangeLogs(folder: string, since?: Date): Promise<readonly ChangeLog[]> {
  const changes = join(folder, CHANGES_FOLDER);
  await folderExists(changes);
  const entries = await readdir(changes, { withFileTypes: true }).catch(() => []);
  const logs = entries.flatMap((entry) => {
    const startedAt = readRunTime(entry.name);
    if (startedAt === undefined) return [];
    assertIsFile(entry, changes);
    return [{ path: join(changes, entry.name), startedAt }];
  });
  logs.sort((a, b) => (a.path < b.path ? -1 : 1));
  const [first] = logs;
  const { runs = 0, unchangedSince } = (first ? undefined : await readMirrorState(folder)) ?? {};
  // The first run cannot find changes, because the mirror has no earlier snapshot.
  const earliest = first?.startedAt ?? (runs > 1 && unchangedSince ? new Date(unchangedSince) : undefined);
  if (earliest === undefined)
    throw new UsageError(
      `"${folder}" has no change logs, so opac does not know what changed`,
      'run opac sync regularly',
    );
  const oldest = new Date(earliest).setHours(0, 0, 0, 0);
  if (since && since.getTime() < oldest)
    throw new UsageError(
      `the change logs in "${folder}" begin on ${formatDay(new Date(oldest))}`,
      `use --changed-since ${formatDay(new Date(oldest))} or a later day`,
    );
  return logs.filter(({ startedAt }) => !since || startedAt >= since);
}

/** Returns the ids of records that were added or changed and not removed later. Throws the errors of `findChangeLogs`. */
export async function listChangedIds(
  folder: string,
  kind: RecordKind,
  since: Date,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const { path } of await findChangeLogs(folder, since))
    for await (const each of readChangeLog(path, signal)) {
      if (each.kind !== kind) continue;
      if (each.change === 'removed') ids.delete(each.id);
      else ids.add(each.id);
    }
  return ids;
}

export function formatDay(day: Date): string {
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
