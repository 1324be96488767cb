/** Shows a change log of a mirror like a comparison. */
import { basename } from 'node:path';
import { Tally } from '../../../diff/tally.js';
import { isChangeLog, readChangeLog } from '../../../mirror/read-change-log.js';
import { UsageError } from '../../../service/errors.js';
import { assertNotInput } from '../../../system/output-path.js';
import type { Context } from '../../context.js';
import type { DiffInput } from './options.js';
import { writeComparison } from './write-comparison.js';

type LogInput = Pick<DiffInput, 'show' | 'context' | 'delta' | 'exitCode'>;

/** Throws a UsageError for options that need the two exports. */
export async function showChangeLog(context: Context, input: DiffInput): Promise<void> {
  const { search, ignore, fields, noise, ask, anyDeployment } = input;
  const isSearch = (search.terms.where?.length ?? 0) > 0 || search.valueFile || search.terms.collection;
  if (isSearch || ignore.length + fields.length + noise.length > 0 || ask || anyDeployment)
    throw new UsageError(
      'a change log can be shown only with --show, --context, --delta and --exit-code',
      'remove the other options, or name a second export',
    );
  const { output } = context.globalOptions;
  if (output !== undefined) await assertNotInput(output, [input.old]);
  await writeChangeLog(context, input.old, input, new Tally(false));
}

/** Throws a UsageError for a change log, which cannot be compared: it would look like an export of the changed records. */
export async function assertNoChangeLogs({ signal }: Context, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if (await isChangeLog(path, signal))
      throw new UsageError(`"${path}" is a change log`, 'show one change log at a time: opac diff <file>');
}

/** Writes the changes of a run; no changes without a `path`. `remark` is a sentence about the run. */
export async function writeChangeLog(
  context: Context,
  path: string | undefined,
  input: LogInput,
  tally: Tally,
  remark?: string,
): Promise<void> {
  async function* read() {
    if (path === undefined) return;
    for await (const difference of readChangeLog(path, context.signal)) {
      tally.add(difference);
      const values = input.context.map((name) => [name, difference.newer?.values(name) ?? []]);
      yield { ...difference, context: Object.fromEntries(values) };
    }
  }
  const newer = path === undefined ? 'this run' : basename(path, '.ndjson');
  const facts = { older: 'the previous run', newer, tally, notCompared: remark, differences: read() };
  await writeComparison(context, input, facts);
}
