/** Reads the change logs of a mirror. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
import { CHANGES_FOLDER } from './mirror-state.js';

const CHANGE = v.object({ field: v.string(), change: v.picklist(CHANGE_KINDS), old: TEXTS, new: TEXTS });
const DIFFERENCE = v.object({
  kind: v.picklist(RECORD_KINDS),
  id: v.string(),
  title: v.string(),
  change: v.picklist(['added', 'removed', 'changed']),
  changes: v.array(CHANGE),
});
/** The complete new record is the last part of a line. */
const RECORD = ',"record":';

/** Whether a file begins with a change that `opac sync` wrote. Does not read pipes. */
export async function isChangeLog(path: string, signal: AbortSignal): Promise<boolean> {
  try {
    if (!(await stat(path)).isFile()) return false;
    for await (const _ of readChangeLog(path, signal)) return true;
  } catch {
    signal.throwIfAborted();
  }
  return false;
}

/** Throws a UsageError for another file, and for a damaged line. */
export async function* readChangeLog(path: string, signal: AbortSignal): AsyncGenerator<Difference> {
  let line = 0;
  const createError = () =>
    new UsageError(
      `"${path}" is not a change log of a mirror: see line ${line}`,
      'name a file in the folder "changes" of a mirror, or two exports',
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

/** The name of a change log contains the time when its run began. */
const LOG_NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)\b.*Z\.ndjson$/;

/**
 * Returns the ids of the records that were added or changed by runs from a time on, and not removed later. Throws a UsageError
 * for a day before the oldest change log, because the changes of that day are not known.
 */
export async function listChangedIds(
  folder: string,
  kind: RecordKind,
  since: Date,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const names = (await readdir(join(folder, CHANGES_FOLDER)).catch(() => [])).sort();
  const logs = names.flatMap((name) => {
    const [, day, ...time] = LOG_NAME.exec(name) ?? [];
    return day === undefined ? [] : [{ name, began: new Date(`${day}T${time.join(':')}Z`) }];
  });
  const oldest = logs[0] && new Date(logs[0].began).setHours(0, 0, 0, 0);
  if (oldest === undefined || since.getTime() < oldest)
    throw new UsageError(
      oldest === undefined
        ? `"${folder}" has no change logs, so opac does not know what changed`
        : `the oldest change log of "${folder}" is of ${formatDay(new Date(oldest))}; earlier changes are unknown`,
      oldest === undefined ? 'run opac sync regularly' : 'use that day or a later one',
    );
  const ids = new Set<string>();
  for (const { name } of logs.filter(({ began }) => began >= since))
    for await (const each of readChangeLog(join(folder, CHANGES_FOLDER, name), signal)) {
      if (each.kind !== kind) continue;
      if (each.change === 'removed') ids.delete(each.id);
      else ids.add(each.id);
    }
  return ids;
}

function formatDay(day: Date): string {
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
