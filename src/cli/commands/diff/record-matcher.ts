/** Which records a comparison is about: those that match `--where` and `--collection` before or after, as a search would find them. */
import { matchesFieldName } from '../../../diff/changes.js';
import { toComparableRecord } from '../../../diff/comparable-record.js';
import type { Snapshot } from '../../../diff/snapshot.js';
import type { SnapshotRecord } from '../../../diff/snapshot-record.js';
import { UsageError } from '../../../service/errors.js';
import { asObject, asText } from '../../../service/json.js';
import { KIND_KEYS } from '../../../service/kinds.js';
import { RECORD_COLUMN_NAMES } from '../../../service/records/columns.js';
import { readRecord, TITLE_FIELDS } from '../../../service/records/record.js';
import { normalizeText } from '../../../service/search/exact-match.js';
import { type FieldTerm, formatTerm } from '../../../service/search/query.js';
import { didYouMean } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { readValuesInFile } from '../search/id-list.js';
import { chosenSet, type NamedSet } from '../search/named-sets.js';
import type { DiffInput } from './options.js';

type IsWanted = (record: SnapshotRecord) => boolean;

const NONE: ReadonlySet<never> = new Set();
const ID_FIELDS = ['id', 'external_object_id'];

/**
 * Notes what no record has of `--fields`. Throws a UsageError for a field of `--where` that no record has, and for a collection
 * that is in neither file.
 */
export async function createRecordMatcher(
  context: Context,
  { search, fields: compared }: Pick<DiffInput, 'search' | 'fields'>,
  snapshots: readonly Snapshot[],
): Promise<IsWanted> {
  const { terms, valueFile } = search;
  const { where = [], exact, collection } = terms;
  const fields = [...where, ...(valueFile ? [valueFile] : [])].map(({ field }) => field);
  const { unknown, known } = await unknownNames([...compared, ...fields], snapshots);
  const [misspelt] = fields.filter((field) => unknown.includes(field));
  if (misspelt !== undefined)
    throw new UsageError(`no record has the field "${misspelt}"`, didYouMean(misspelt, known));
  if (unknown.length > 0) context.note(`not compared, as no record has them: ${unknown.join(', ')}`);
  const tests: IsWanted[] = exact
    ? where.map(({ field, value }) => hasOneOf(field, [value]))
    : await Promise.all(where.map(hasPhrase));
  if (valueFile)
    tests.push(hasOneOf(valueFile.field, await readValuesInFile(valueFile.field, valueFile.value, context)));
  if (collection !== undefined) tests.push(await isInCollection(context, collection, snapshots));
  return (record) => tests.every((test) => test(record));
}

/** Whether a field has one of these as a whole value; `''` means that it has none. */
function hasOneOf(field: string, values: readonly string[]): IsWanted {
  const wanted = new Set(values.map(normalizeText));
  return (record) => {
    const shown = shownValues(record, field).map(normalizeText);
    return shown.some((text) => wanted.has(text)) || (wanted.has('') && shown.every((text) => text === ''));
  };
}

/** Whether a field holds the phrase, as the museum of `--mock` would find it. */
async function hasPhrase({ field, value }: FieldTerm): Promise<IsWanted> {
  const [{ parseQuery }, { createQueryPredicate }, { TextRecord }] = await Promise.all([
    import('../../../local/search/parse-query.js'),
    import('../../../local/search/match.js'),
    import('../../../local/record.js'),
  ]);
  const isMade = field === 'title';
  const query = parseQuery(formatTerm(ID_FIELDS.includes(field) ? 'external_object_id' : field, value));
  if (!query) return () => true;
  const matches = createQueryPredicate(query, { highlights: [] });
  return (record) => {
    const kind = record.kind === 'records' ? 'objects' : record.kind;
    const text = isMade ? undefined : record.bytes?.toString();
    return matches(new TextRecord(kind, record.id, () => text ?? textWith(record, field)));
  };
}

/** A record that has only this field: of a row, and of a title, which is made from other fields. */
function textWith(record: SnapshotRecord, field: string): string {
  const { idKey, fieldSetsKey, fieldsKey } = KIND_KEYS[record.kind === 'records' ? 'objects' : record.kind];
  const values = shownValues(record, field).map((value) => ({ value }));
  return JSON.stringify({ [idKey]: record.id, [fieldSetsKey]: [{ identifier: field, [fieldsKey]: values }] });
}

function shownValues(record: SnapshotRecord, field: string): readonly string[] {
  if (ID_FIELDS.includes(field)) return [record.id];
  const names = field === 'title' ? TITLE_FIELDS : [field];
  return names.flatMap((name) => record.values(name) ?? []);
}

async function isInCollection(
  context: Context,
  given: string,
  snapshots: readonly Snapshot[],
): Promise<IsWanted> {
  const known = new Map<string, NamedSet>();
  for (const snapshot of snapshots)
    await snapshot.eachRecord((record) => {
      const set = collectionOf(record);
      const key = set.name || set.id;
      // A table has only the name.
      if (key !== '' && (!known.has(key) || record.raw)) known.set(key, set);
    });
  const sets = [...known.values()];
  const id = chosenSet(sets, 'collection', given, context.note);
  const chosen = sets.find((set) => set.id === id);
  if (!chosen && (!/^\d+$/.test(given) || snapshots.some(({ table }) => table)))
    throw new UsageError(
      `no record is in a collection "${given}"`,
      snapshots.some(({ table }) => table) ? 'tables name collections without their ids' : undefined,
    );
  return (record) => {
    const set = collectionOf(record);
    return chosen !== undefined && (set.id === chosen.id || (set.name !== '' && set.name === chosen.name));
  };
}

function collectionOf({ raw, values }: SnapshotRecord): NamedSet {
  const { opacCollectionId, collectionName } = asObject(raw?.opacCollection);
  if (raw) return { id: asText(opacCollectionId), name: asText(collectionName) };
  const [name = ''] = values('collection') ?? [];
  return { id: name, name };
}

/** Parts of every record, whether or not they have a value. */
const ALWAYS = [...RECORD_COLUMN_NAMES, ...ID_FIELDS, 'image', 'relationship', 'record', 'score'];

/** The names that no record of the files has; none for files without records. */
async function unknownNames(
  names: readonly string[],
  snapshots: readonly Snapshot[],
): Promise<{ readonly unknown: readonly string[]; readonly known: readonly string[] }> {
  const unknown = new Set(names.filter((name) => !ALWAYS.includes(name.split(/[.@[]/)[0] ?? '')));
  if (unknown.size === 0) return { unknown: [], known: [] };
  const seen = new Set<string>();
  for (const snapshot of snapshots)
    await snapshot.eachRecord((record) => {
      const held = unknown.size === 0 ? [] : namesOf(record, snapshot);
      for (const name of held) seen.add(name);
      for (const name of unknown)
        if (held.some((each) => matchesFieldName(each, [name]))) unknown.delete(name);
    });
  return { unknown: seen.size > 0 ? [...unknown] : [], known: [...seen] };
}

function namesOf(record: SnapshotRecord, { table }: Snapshot): readonly string[] {
  if (!record.raw) return table?.columns ?? [];
  const { parts, items, lists } = toComparableRecord(record, NONE);
  return [...readRecord(record.raw).fields.keys(), ...parts.keys(), ...items.keys(), ...lists.keys()];
}
