/** Exports the records of a search to a file, as `opac <kind> export -o <file>` does. */
import { createSlicedSource, type SlicedOptions } from '../export/collect/source/slices/sliced-source.js';
import { assertKnownExtension, type FormatOptions, findFormatByName } from '../export/convert/formats.js';
import {
  type ExportOutcome,
  exportRecords as exportToFiles,
  type ExportOptions as FileOptions,
} from '../export/export-records.js';
import { assertChoices, assertIntegers, assertTexts } from '../service/assert-options.js';
import { UsageError } from '../service/errors.js';
import { KINDS } from '../service/kinds.js';
import { searchParameters } from '../service/search/record-search.js';

type Search = Pick<SlicedOptions, 'client' | 'kind' | 'pageSize' | 'offset' | 'limit' | 'concurrency'>;
type Run = Pick<
  FileOptions,
  | 'target'
  | 'split'
  | 'resume'
  | 'force'
  | 'waitLock'
  | 'onLockWait'
  | 'strict'
  | 'signal'
  | 'onProgress'
  | 'onStart'
>;

/** The search to export, the file, and the options of the run. */
export interface ExportOptions extends Search, Run, Omit<FormatOptions, 'format'> {
  /** The query parameters of the search, as `searchParameters` returns them. Default: all records with all fields. */
  readonly query?: SlicedOptions['query'] | undefined;
  /** Default: the format that belongs to the file extension of `target`. */
  readonly format?: FormatOptions['format'] | undefined;
}

/**
 * Writes `target` and its manifest. If the export is incomplete, `complete` is false, opac writes
 * `<name>.incomplete.<extension>`, and `target` stays unchanged. Continues an unfinished run of the same search. Throws a
 * UsageError for invalid options and for files that opac must not replace, and an OpacError of kind `locked` if another run is
 * writing the file. Also throws the errors of requests and of the disk, and the reason of the signal.
 */
export async function exportRecords(options: ExportOptions): Promise<ExportOutcome> {
  const { client, kind, pageSize, offset = 0, limit, concurrency, format, target, ...rest } = options;
  const { columns, multi, excel, flat, sqlNames, plainText, singleLine, query: given, ...run } = rest;
  assertChoices('kind', [kind], KINDS);
  assertTexts({ target });
  assertIntegers(0, { offset });
  assertIntegers(1, { limit, pageSize, concurrency, split: run.split });
  const query = given ?? searchParameters({ terms: {}, view: 'detail' });
  const texts = { columns, multi, excel, flat, sqlNames, plainText, singleLine };
  return exportToFiles({
    ...run,
    target,
    formatOptions: { ...texts, kind, format: format ?? findFormat(target) },
    source: createSlicedSource({ client, kind, query, pageSize, offset, limit, concurrency }),
    deployment: client.baseUrl,
    query,
    selection: { offset, limit: limit ?? null },
    command: undefined,
  });
}

function findFormat(target: string): FormatOptions['format'] {
  const format = findFormatByName(target);
  if (format) return format;
  assertKnownExtension(target);
  throw new UsageError(`"${target}" has no file extension`, 'set the option format');
}
