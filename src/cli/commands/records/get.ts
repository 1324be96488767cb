/** `opac <kind> get`: shows records by their ids or, with `--by`, by the values of a field. */
import { isUtf8 } from 'node:buffer';
import { runInOrder } from '../../../client/paging/prefetch.js';
import { findFormat } from '../../../export/convert/formats.js';
import { keepBytes } from '../../../records/json/item-bytes.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { formatList, formatNumber } from '../../../service/format-numbers.js';
import type { Json, JsonObject } from '../../../service/json.js';
import { KIND_KEYS, type RecordKind } from '../../../service/kinds.js';
import { readRecordId } from '../../../service/records/record.js';
import type { ValueList } from '../../../service/search/query.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import { type ItemsResult, toSinglePage } from '../../description/result.js';
import { formatShellWord } from '../../description/shell-words.js';
import { NOT_FOUND_OPTION } from '../../options/search.js';
import { TABLE_OPTIONS, type TableInput } from '../../options/table.js';
import { createRecordTable } from '../../output/record-schema.js';
import { findEmptyResultHint, findFieldOfValue } from '../hints/nothing-found.js';
import { readItem } from '../items/read-list.js';
import { warnNotUtf8 } from '../search/endpoint-pages.js';
import { createHeaderPattern, readIdsInFile } from '../search/id-list.js';
import { explainErrors, listOtherNames, resolveFields } from '../search/known-fields.js';
import { drawProgress } from '../search/progress.js';
import { ALL_RECORDS, fetchPublishedFields, searchPages } from '../search/search-pages.js';
import { writeNotFound } from './not-found-file.js';

interface GetExample {
  readonly id: string;
  readonly field: string;
  readonly value: string;
}

export const createGetCommand = (
  kind: RecordKind,
  { id: exampleId, field: exampleField, value: exampleValue }: GetExample,
) =>
  defineCommand({
    name: 'get',
    summary: `show ${kind} by id`,
    arguments: [
      {
        name: 'id',
        summary: `ids of ${kind}, or @file with one per line, or - for standard input`,
        required: true,
        variadic: true,
      },
    ],
    options: [
      {
        flags: '--by <field>',
        summary: 'find records by this field, such as accession_no, instead of by id',
      },
      { flags: '--single', summary: 'with json: print one object instead of an array (one id only)' },
      NOT_FOUND_OPTION,
      ...TABLE_OPTIONS,
    ],
    examples: {
      [`show one ${KIND_KEYS[kind].recordType} as a card`]: `opac ${kind} get ${exampleId} --mock -f card`,
      'print the JSON from the service': `opac ${kind} get ${exampleId} --mock -f json`,
      'print some columns on one line': `opac ${kind} get ${exampleId} --mock --columns id,title,image.url`,
      [`find a record by ${exampleField}`]: `opac ${kind} get --by ${exampleField} ${formatShellWord(exampleValue)} --mock -f card`,
      'get the records whose ids another command prints': `opac ${kind} list --mock -f ids | opac ${kind} get - --mock -f ndjson`,
    },
    endpoints: [`${kind}.get`, `${kind}.search`],
    parse: (input) => {
      if (input.by === undefined) for (const id of input.id) checkId(id);
      return input;
    },
    async run(context, { id: words, by, single: isSingle, notFound, ...table }) {
      const ids = await readIds(words, context, kind, by);
      if (isSingle) checkSingle(ids, context);
      if (by !== undefined && ids.length > 0)
        return getByField(context, kind, { field: by, values: ids }, { isSingle, notFound, table });
      const { next, problems } = await createRecordFetcher(context, kind, ids);
      const { concurrency } = context.globalOptions;
      const read =
        ids.length === 0 ? toSinglePage([]) : runInOrder({ concurrency, next, signal: context.signal });
      const getMissingIds = () => ids.filter((id) => problems.missing.has(id));
      const pages = writeNotFound({ pages: read, missing: getMissingIds }, notFound, context);
      return {
        kind: 'items',
        pages: drawProgress(pages, { ...context, format: context.format ?? 'card' }, () => ids.length),
        ...(await createRecordTable(kind, table)),
        // Without ids, the command prints the header of the table and does not fail.
        ...(ids.length > 0 && { isById: true }),
        isSingle,
        emptyMessage: '',
        fields: () => fetchPublishedFields(context, kind),
        printHint: async () => {
          const id = getMissingIds()[0];
          const field = id === undefined ? undefined : await findFieldOfValue(context, kind, id);
          if (field === undefined) return;
          const given = words.find((word) => word.startsWith('@')) ?? id;
          const where = formatShellWord(`${field}=${given}`);
          context.note(`"${id}" is a value of ${field}: add --by ${field}, or list with --where ${where}`);
        },
        failure: () => {
          const damaged = ids.filter((id) => problems.notUtf8.has(id));
          warnNotUtf8({ records: damaged.length, ids: damaged }, context);
          const missing = createMissingError(problems.missing, ids, kind);
          const unexpected = createUnexpectedIdsError(problems.unexpectedIds, ids, context);
          if (missing && unexpected) context.warn(missing.message);
          return unexpected ?? missing;
        },
      };
    },
  });

interface Problems {
  readonly missing: Map<string, OpacError>;
  readonly notUtf8: Set<string>;
  /** The key is the requested id, and the value is the id of the record that the service returned. */
  readonly unexpectedIds: Map<string, string>;
}

async function createRecordFetcher(context: Context, kind: RecordKind, ids: readonly string[]) {
  const client = await context.client();
  const problems: Problems = { missing: new Map(), notUtf8: new Set(), unexpectedIds: new Map() };
  const fetchRecord = async (id: string, signal: AbortSignal): Promise<readonly Json[]> => {
    try {
      const path = { [KIND_KEYS[kind].idKey]: id };
      const { value, bytes } = await client.fetch(`${kind}.get`, { path, signal });
      if (!isUtf8(bytes)) problems.notUtf8.add(id);
      keepBytes(value, bytes);
      const record = unwrapRecord(value, kind);
      const received = readRecordId(record);
      if (received !== '' && received !== id) problems.unexpectedIds.set(id, received);
      return [record];
    } catch (error) {
      if (!(error instanceof OpacError) || error.kind !== 'not-found') throw error;
      problems.missing.set(id, error);
      return [];
    }
  };
  const waiting = ids.values();
  const next = (signal: AbortSignal) => {
    const { value: id } = waiting.next();
    return id === undefined ? undefined : fetchRecord(id, signal);
  };
  return { next, problems };
}

/** Some deployments return a list with one record instead of the record. */
function unwrapRecord(response: object, kind: RecordKind): JsonObject {
  const list = (response as Record<string, unknown>)[KIND_KEYS[kind].listKey];
  return readItem(Array.isArray(list) && list.length === 1 ? list[0] : response, `${kind}.get`);
}

/** Returns an error for records with other ids than requested. A faulty cache may cause this. */
function createUnexpectedIdsError(
  unexpectedIds: Problems['unexpectedIds'],
  ids: readonly string[],
  { globalOptions: { output } }: Context,
): OpacError | undefined {
  if (unexpectedIds.size === 0) return undefined;
  const wrong = ids.filter((id) => unexpectedIds.has(id)).slice(0, MAX_UNEXPECTED_LISTED);
  const listed = wrong.map((id) => `${unexpectedIds.get(id)?.slice(0, 100)} for ${id}`);
  const more = unexpectedIds.size > wrong.length ? ', …' : '';
  return new OpacError('incomplete', `the service returned the wrong record: ${listed.join(', ')}${more}`, {
    hint: output === undefined ? 'the output contains these records' : undefined,
  });
}

const MAX_UNEXPECTED_LISTED = 5;

function checkId(id: string): void {
  if (/^\.{0,2}$/.test(id.trim())) throw new UsageError(`invalid id "${id}"`);
}

async function readIds(
  words: readonly string[],
  context: Context,
  kind: RecordKind,
  by: string | undefined,
): Promise<readonly string[]> {
  const ids = new Set<string>();
  const header =
    by === undefined ? undefined : createHeaderPattern(by, await listOtherNames(context, kind, by));
  for (const word of words) {
    const read = await readIdsInFile(word, context, '', header).catch(async (error) => {
      // If the field is unknown, `resolveFields` throws a clearer error.
      if (by !== undefined)
        await resolveFields(context, kind, { terms: { oneOf: { field: by, values: ['1'] } } });
      throw error;
    });
    const listed = read ?? [word.trim()];
    // An empty list is not an error, because an earlier command in a pipe may have found nothing.
    if (listed.length === 0) context.note(`no ids in "${word}"`);
    for (const id of listed) ids.add(id);
  }
  if (by === undefined) for (const id of ids) checkId(id);
  return [...ids];
}

async function getByField(
  context: Context,
  kind: RecordKind,
  list: ValueList,
  {
    isSingle,
    notFound,
    table,
  }: { readonly isSingle: boolean; readonly notFound: string | undefined; readonly table: TableInput },
): Promise<ItemsResult> {
  const search = await resolveFields(context, kind, { terms: { oneOf: list }, view: 'detail' });
  const { field: asked, values } = list;
  const { field = asked } = search.terms.oneOf ?? {};
  const matches = await searchPages(context, kind, search, ALL_RECORDS);
  let hint: string | undefined;
  return {
    kind: 'items',
    ...matches,
    pages: explainErrors(
      writeNotFound({ ...matches, missing: () => matches.missing?.()?.ids }, notFound, context),
      context,
      kind,
      search,
    ),
    ...(await createRecordTable(kind, table)),
    isById: true,
    isSingle,
    emptyMessage: '',
    fields: () => fetchPublishedFields(context, kind),
    printHint: async () => {
      const [value] = matches.missing?.()?.ids ?? [];
      if (value === undefined) return;
      hint = await findEmptyResultHint(context, kind, { terms: { where: [{ field, value }] } });
    },
    failure: () => {
      warnNotUtf8(matches.notUtf8?.(), context);
      const missing = matches.missing?.();
      if (missing === undefined) return matches.failure?.();
      const message =
        values.length === 1
          ? `no ${KIND_KEYS[kind].recordType} has ${asked} "${values[0]}"`
          : missing.message;
      return new OpacError('not-found', message, { ids: missing.ids, hint });
    },
  };
}

function checkSingle(ids: readonly string[], { format }: Context): void {
  if (ids.length !== 1) throw new UsageError(`--single accepts only one id, not ${formatNumber(ids.length)}`);
  if (!findFormat(format)?.json) throw new UsageError('--single works only with JSON', 'use it with -f json');
}

function createMissingError(
  missing: ReadonlyMap<string, OpacError>,
  ids: readonly string[],
  kind: RecordKind,
): OpacError | undefined {
  const notFound = ids.filter((id) => missing.has(id));
  const [first = ''] = notFound;
  const separateIds = first.split(/[,;]\s*/);
  if (ids.length === 1 && separateIds.length > 1)
    return new OpacError('not-found', `not found: "${first}"`, {
      ids: notFound,
      hint: `put spaces between ids: ${separateIds.join(' ')}`,
    });
  if (notFound.length === 0) return undefined;
  const cause = missing.get(first);
  if (ids.length === 1 && cause) {
    const { kind: errorKind, message, code } = cause;
    const isName = !/\d/.test(first);
    const hint = isName ? `to search for it, use: opac ${kind} list ${formatShellWord(first)}` : cause.hint;
    return new OpacError(errorKind, message, { hint, code, ids: notFound, cause });
  }
  const message = `${formatNumber(notFound.length)} of ${formatNumber(ids.length)} ${kind} were not found: ${formatList(notFound)}`;
  return new OpacError('not-found', message, { ids: notFound });
}
