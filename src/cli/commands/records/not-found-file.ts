/** Writes the file of `--not-found`: the ids or values of a list that were not found. */
import { resolve } from 'node:path';
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { pathExists } from '../../../system/error-code.js';
import type { Context } from '../../context.js';
import { writeOutput } from '../../output/write-output.js';
import type { SearchPages } from '../search/endpoint-pages.js';

type Pages = AsyncIterable<readonly Json[]>;

interface NotFound extends Pick<SearchPages, 'isMissingUnknown'> {
  readonly pages: Pages;
  /** The ids or values that were not found in the pages so far. */
  readonly missing?: (() => readonly string[] | undefined) | undefined;
}

/** Yields `pages` unchanged, and then writes the file. Throws an OpacError if opac cannot tell which values were not found. */
export async function* writeNotFound(
  { pages, missing, isMissingUnknown }: NotFound,
  file: string | undefined,
  context: Context,
): Pages {
  if (file !== undefined) await assertNotFoundFile(file, context);
  yield* pages;
  if (file === undefined) return;
  if (isMissingUnknown?.())
    throw new OpacError(
      'incomplete',
      `opac cannot tell which values were not found, so "${file}" is not written`,
      {
        hint: 'the records do not contain the ids or values of the list; if you use --view, remove it',
      },
    );
  await writeNotFoundFile(missing?.() ?? [], file, context);
}

/** Throws a UsageError if the file exists and `--force` is not given, or if the file is also an output. */
export async function assertNotFoundFile(file: string, { globalOptions }: Context): Promise<void> {
  const { force, outputs, dryRun } = globalOptions;
  if (!force && !dryRun && (await pathExists(file)))
    throw new UsageError(`"${file}" exists`, 'choose another name, or replace it with --force');
  if (outputs.some((output) => resolve(file) === resolve(output)))
    throw new UsageError(`"${file}" is used for two outputs`, 'use different file names');
}

export async function writeNotFoundFile(
  ids: readonly string[],
  file: string,
  context: Context,
): Promise<void> {
  const lines = ids.map((id) => `${id.replace(/[\r\n]+/g, ' ')}\n`);
  const globalOptions = { ...context.globalOptions, output: file };
  await writeOutput({ ...context, globalOptions }, [lines.join('')]);
}
