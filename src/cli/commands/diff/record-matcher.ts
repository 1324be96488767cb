/** Selects the records of a comparison: the old or the new version must match `--where` and `--collection`. */
import { matchesFieldName } from '../../../diff/changes.js';
import { toComparableRecord } from '../../../diff/comparable-record.js';
import type { Snapshot } from '../../../diff/snapshot.js';
import type { SnapshotRecord } from '../../../diff/snapshot-record.js';
import { UsageError } from '../../../service/errors.js';
import { asObject, asText } from '../../../service/json.js';
import { KIND_KEYS } from '../../../service/kinds.js';
import { parseColumn, RECORD_COLUMN_NAMES } from '../../../service/records/columns.js';
import { readRecord, TITLE_FIELDS } from '../../../service/records/record.js';
import { isYearRange, parseRangeTerm } from '../../../service/search/date-terms.js';
import { normalizeText } from '../../../service/search/exact-match.js';
import { type FieldTerm, formatTerm } from '../../../service/search/query.js';
import { didYouMean } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { readValuesInFile } from '../search/id-list.js';
import { chooseSet, type NamedSet } from '../search/named-sets.js';
import type { DiffInput } from './options.js';

type IsWanted = (record: SnapshotRecord) => boolean;

const NO_NOISE: ReadonlySet<never> = new Set();
const ID_FIELDS = ['id', 'external_object_id'];

/**
 * Throws a UsageError for a range of years, for an unknown collection, and for a field that no record has. For such a
 * field in `--fields`, only prints a note if records have another field of `--fields`.
 */
export async function createRecordMatcher(
  context: Context,
  { search, fields: compared, context: shown }: Pick<DiffInput, 'search' | 'fields' | 'context'>,
  snapshots: readonly Snapshot[],
): Promise<IsWanted> {
  const { terms, valueFile } = search;
  const { where = [], exact, collection } = terms;
  const fields = [...where, ...(valueFile ? [valueFile] : [])].map(({ field }) => field);
  const used = [...fields, ...shown.flatMap((name) => parseColumn(name).field ?? [])];
  const { unknown, known } = await findUnknownNames([...compared, ...used], snapshots);
  const isNothingCompared = compared.length > 0 && compared.every((field) => unknown.includes(field));
  const [misspelt] = [...used, ...(isNothingCompared ? compared : [])].filter((each) =>
    unknown.includes(each),
  );
  if (misspelt !== undefined)
    throw new UsageError(`no record has the field "${misspelt}"`, didYouMean(misspelt, known));
  if (unknown.length > 0)
    context.note(`not compared, because no record has these fields: ${unknown.join(', ')}`);
  assertNoYearRanges(where);
  const tests: IsWanted[] = exact
    ? where.map(({ field, value }) => createValueTest(field, [value]))
    : await Promise.all(where.map(createPhraseTest));
  if (valueFile)
    tests.push(
      createValueTest(valueFile.field, await readValuesInFile(valueFile.field, valueFile.value, context)),
    );
  if (collection !== undefined) tests.push(await createCollectionTest(context, collection, snapshots));
  return (record) => tests.every((test) => test(record));
}

/** Compares entire values. `''` matches a field without a value. */
function createValueTest(field: string, values: readonly string[]): IsWanted {
  const expected = new Set(values.map(normalizeText));
  return (record) => {
    const shown = readValues(record, field).map(normalizeText);
    return (
      shown.some((text) => expected.has(text)) || (expected.has('') && shown.every((text) => text === ''))
    );
  };
}

/** Throws a UsageError for a range of years, because opac does not know here which fields contain dates. */
function assertNoYearRanges(where: readonly FieldTerm[]): void {
  const dates = where.find(
    ({ field, value }) => isYearRange(value) || (/date/i.test(field) && parseRangeTerm(value)),
  );
  if (dates)
    throw new UsageError(
      `diff cannot search ranges of years, so it cannot use --where ${dates.field}=${dates.value}`,
      'export the records of these years, then compare the exports',
    );
}

/** Matches a phrase in the same way as a search in the built-in museum. */
async function createPhraseTest({ field, value }: FieldTerm): Promise<IsWanted> {
  const [{ parseQuery }, { createQueryPredicate }, { TextRecord }] = await Promise.all([
    import('../../../local/search/parse-query.js'),
    import('../../../local/search/match.js'),
    import('../../../local/record.js'),
  ]);
  const isTitle = field === 'title';
  const query = parseQuery(formatTerm(ID_FIELDS.includes(field) ? 'external_object_id' : field, value));
  if (!query) return () => true;
  const matches = createQueryPredicate(query, { highlights: [] });
  return (record) => {
    const kind = record.kind === 'records' ? 'objects' : record.kind;
    const text = isTitle ? undefined : record.bytes?.toString();
    return matches(new TextRecord(kind, record.id, () => text ?? createFieldJson(record, field)));
  };
}

/** Creates JSON for rows of tables, which have no JSON, and for `title`, which stands for several fields. */
function createFieldJson(record: SnapshotRecord, field: string): string {
  const { idKey, fieldSetsKey, fieldsKey } = KIND_KEYS[record.kind === 'records' ? 'objects' : record.kind];
  const values = readValues(record, field).map((value) => ({ value }));
  return JSON.stringify({ [idKey]: record.id, [fieldSetsKey]: [{ identifier: field, [fieldsKey]: values }] });
}

function readValues(record: SnapshotRecord, field: string): readonly string[] {
  if (ID_FIELDS.includes(field)) return [record.id];
  const names = field === 'title' ? TITLE_FIELDS : [field];
  return names.flatMap((name) => record.values(name) ?? []);
}

async function createCollectionTest(
  context: Context,
  given: string,
  snapshots: readonly Snapshot[],
): Promise<IsWanted> {
  const known = new Map<string, NamedSet>();
  for (const snapshot of snapshots)
    await snapshot.eachRecord((record) => {
      const set = readCollection(record);
      const key = set.name || set.id;
      // A table contains only the name of a collection. JSON also contains the id, so JSON takes precedence.
      if (key !== '' && (!known.has(key) || record.raw)) known.set(key, set);
    });
  const sets = [...known.values()];
  const id = chooseSet(sets, 'collection', given, context.note);
  const chosen = sets.find((set) => set.id === id);
  if (!chosen && (!/^\d+$/.test(given) || snapshots.some(({ table }) => table)))
    throw new UsageError(
      `no record is in a collection "${given}"`,
      snapshots.some(({ table }) => table)
        ? 'tables contain the names of collections, not their ids; use a name'
        : undefined,
    );
  return (record) => {
    const set = readCollection(record);
    return chosen !== undefined && (set.id === chosen.id || (set.name !== '' && set.name === chosen.name));
  };
}

function readCollection({ raw, values }: SnapshotRecord): NamedSet {
  const { opacCollectionId, collectionName } = asObject(raw?.opacCollection);
  const name = raw ? asText(collectionName) : (values('collection')?.[0] ?? '');
  return { id: asText(opacCollectionId) || name, name };
}

/** Names that are valid for every record, also with a suffix: `image` and `image.caption`. */
const KNOWN_NAMES = [...RECORD_COLUMN_NAMES, ...ID_FIELDS, 'image', 'relationship', 'record', 'score'];

/** `unknown`: names that no record has; empty if no record has fields. `known`: field names; incomplete if `unknown` is empty. */
export async function findUnknownNames(
  names: readonly string[],
  snapshots: readonly Snapshot[],
): Promise<{ readonly unknown: readonly string[]; readonly known: readonly string[] }> {
  const unknown = new Set(names.filter((name) => !KNOWN_NAMES.includes(name.split(/[.@[]/)[0] ?? '')));
  if (unknown.size === 0) return { unknown: [], known: [] };
  const seen = new Set<string>();
  for (const snapshot of snapshots)
    await snapshot.eachRecord((record) => {
      const found = unknown.size === 0 ? [] : listFieldNames(record, snapshot);
      for (const name of found) seen.add(name);
      for (const name of unknown)
        if (found.some((each) => matchesFieldName(each, [name]))) unknown.delete(name);
    });
  return { unknown: seen.size > 0 ? [...unknown] : [], known: [...seen] };
}

function listFieldNames(record: SnapshotRecord, { table }: Snapshot): readonly string[] {
  if (!record.raw) return table?.columns ?? [];
  const { parts, items, lists } = toComparableRecord(record, NO_NOISE);
  return [...readRecord(record.raw).fields.keys(), ...parts.keys(), ...items.keys(), ...lists.keys()];
}
