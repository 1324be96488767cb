/** Shows the change logs of a mirror in the formats of `opac diff`. */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Tally } from '../../../diff/tally.js';
import {
  findChangeLogs,
  formatDay,
  isChangeLog,
  readChangeLog,
  readRunTime,
} from '../../../mirror/read-change-log.js';
import { UsageError } from '../../../service/errors.js';
import { formatCount } from '../../../service/format-numbers.js';
import type { FieldLabels } from '../../../service/search/field-labels.js';
import { assertNotInput } from '../../../system/output-path.js';
import type { Context } from '../../context.js';
import type { DiffInput } from './options.js';
import { writeComparison } from './write-comparison.js';

const FOUND = 'found';

type LogInput = Pick<DiffInput, 'show' | 'context' | 'delta' | 'exitCode'>;

/** Throws a UsageError for options that need two exports, and for `--changed-since` without the folder of a mirror. */
export async function showChangeLogs(
  context: Context,
  input: DiffInput & { readonly changedSince?: Date | undefined },
): Promise<void> {
  const { search, ignore, fields, noise, ask, anyDeployment, old: path, changedSince } = input;
  const isSearch = (search.terms.where?.length ?? 0) > 0 || search.valueFile || search.terms.collection;
  if (isSearch || ignore.length + fields.length + noise.length > 0 || ask || anyDeployment)
    throw new UsageError(
      'a mirror or a change log can be combined only with --changed-since (mirrors only), --show, --context, --delta and --exit-code',
      isSearch
        ? 'to search changed records, use: opac objects list --from <mirror> --changed-since <day> --where …'
        : 'remove the other options; to compare two exports, name both',
    );
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  if (changedSince && !isFolder)
    throw new UsageError('--changed-since needs the folder of a mirror', `"${path}" is not a folder`);
  const logs = isFolder ? (await findChangeLogs(path, changedSince)).map((log) => log.path) : [path];
  const { output } = context.globalOptions;
  if (output !== undefined) await assertNotInput(output, logs);
  const since = changedSince ? ` since ${formatDay(changedSince)}` : '';
  const title = `Changes of ${basename(path)}${since} (${formatCount(logs.length, 'run')})`;
  const remark = 'A record that changed in several runs is listed and counted once for each run.';
  const mirrorFacts = { title, ...(logs.length > 1 && { remark }) };
  await writeChangeLogs(context, logs, input, new Tally(false), isFolder ? mirrorFacts : {});
}

/** Throws a UsageError for a change log, because it would look like an export of the changed records. */
export async function assertNoChangeLogs(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if (await isChangeLog(path))
      throw new UsageError(
        `"${path}" is a change log`,
        'show one change log, or all logs of a mirror: opac diff <file or mirror>',
      );
}

interface LogFacts {
  readonly title?: string;
  readonly remark?: string | undefined;
  readonly labels?: FieldLabels | undefined;
}

/** Writes the changes in the order of the logs. With a `title`, each change contains the time of its `opac sync` run. */
export async function writeChangeLogs(
  context: Context,
  paths: readonly string[],
  input: LogInput,
  tally: Tally,
  { title, remark, labels }: LogFacts = {},
): Promise<void> {
  async function* read() {
    for (const path of paths)
      for await (const difference of readChangeLog(path, context.signal)) {
        tally.add(difference);
        const found = title !== undefined ? [[FOUND, [formatRunTime(path)]]] : [];
        const values = input.context.map((name) => [name, difference.newer?.values(name) ?? []]);
        yield { ...difference, context: Object.fromEntries([...found, ...values]) };
      }
  }
  const columns = title !== undefined ? [FOUND, ...input.context] : input.context;
  const [path] = paths;
  const facts = {
    title: title ?? (path === undefined ? 'No changes' : `Changes found on ${formatRunTime(path)}`),
    tally,
    notCompared: remark,
    ...(labels && { labels }),
    differences: read(),
  };
  await writeComparison(context, { ...input, context: columns }, facts);
}

/** Returns the time of the run in local time, such as `2026-11-01 03:00`. For a renamed log, returns its file name. */
function formatRunTime(path: string): string {
  const time = readRunTime(path);
  return time ? `${formatDay(time)} ${time.toTimeString().slice(0, 5)}` : basename(path);
}
