/** Writes a comparison, and prints the numbers of differences as notes. */
import { formatKindCounts } from '../../../diff/reports/report.js';
import type { Difference, Tally } from '../../../diff/tally.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount } from '../../../service/format-numbers.js';
import type { Context } from '../../context.js';
import { type Texts, writeOutput } from '../../output/write-output.js';
import { type DiffOutput, writeDiff } from './formats.js';
import { type DiffInput, findDiffFormat } from './options.js';

/** With `exitCode`, throws an OpacError of kind `different` if records differ. */
export async function writeComparison(
  context: Context,
  input: Pick<DiffInput, 'show' | 'delta' | 'exitCode' | 'context'> & Partial<Pick<DiffInput, 'search'>>,
  facts: Omit<DiffOutput, 'context'>,
): Promise<void> {
  const { show, delta, exitCode, context: columns, search } = input;
  const { tally, differences } = facts;
  const shown = show.length === 0 ? differences : filterShown(differences, show);
  const format = delta ? 'delta' : findDiffFormat(context);
  const { texts, clean } = writeDiff(format, { ...facts, context: columns, differences: shown }, context);
  const { quiet, output, format: chosen } = context.globalOptions;
  const isSilent = quiet && output === undefined && chosen === undefined;
  await writeOutput(context, isSilent ? omitIfNothingDiffers(texts, tally) : texts, clean);
  const { countDifferences } = tally;
  const { where = [], collection } = search?.terms ?? {};
  const isSearch = where.length > 0 || (search?.valueFile ?? collection) !== undefined;
  if (countDifferences === 0) context.note(`no records ${isSearch ? 'that match the search ' : ''}differ`);
  else if (format !== 'table') for (const line of formatKindCounts(tally)) context.note(line);
  if (exitCode && countDifferences > 0)
    throw new OpacError(
      'different',
      `${formatCount(countDifferences, 'record')} ${countDifferences === 1 ? 'differs' : 'differ'}`,
    );
}

/** Writes nothing if no record differs, not even the header of a table, because cron sends a mail for any output. */
async function* omitIfNothingDiffers(texts: Texts, tally: Tally): AsyncGenerator<string | Uint8Array> {
  const held: (string | Uint8Array)[] = [];
  for await (const text of texts) {
    held.push(text);
    // The tally grows while opac reads the texts.
    if (tally.countDifferences > 0) yield* held.splice(0);
  }
}

async function* filterShown(differences: AsyncIterable<Difference>, show: readonly string[]) {
  for await (const difference of differences) if (show.includes(difference.change)) yield difference;
}
