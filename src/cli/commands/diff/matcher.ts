/** Which records a comparison is about: those that match a search before or after, as the museum would find them. */
import type { SnapshotRecord } from '../../../diff/snapshot-record.js';
import { UsageError } from '../../../service/errors.js';
import { asText } from '../../../service/json.js';
import { KIND_WORDS } from '../../../service/kinds.js';
import { buildQuery } from '../../../service/search/query.js';
import type { DiffInput } from './options.js';

export async function wantedRecords({
  where,
  collection,
}: Pick<DiffInput, 'where' | 'collection'>): Promise<(record: SnapshotRecord) => boolean> {
  const text = buildQuery({ where, collection });
  if (text === undefined) return () => true;
  const [{ parseQuery }, { queryPredicate }, { TextRecord }] = await Promise.all([
    import('../../../mock/search/parse-query.js'),
    import('../../../mock/search/match.js'),
    import('../../../mock/data/record-list.js'),
  ]);
  const query = parseQuery(text);
  if (!query) return () => true;
  const matches = queryPredicate(query, { highlights: [] });
  return (record) => {
    const kind = record.kind === 'records' ? 'objects' : record.kind;
    const raw =
      record.bytes?.toString() ??
      rowText(
        record,
        where.map(({ field }) => field),
        collection,
      );
    return matches(new TextRecord(kind, record.id, raw));
  };
}

/** A row as the record that it was made of, as far as the search looks at it. */
function rowText(
  { kind, values }: SnapshotRecord,
  fields: readonly string[],
  collection: string | undefined,
): string {
  if (collection !== undefined)
    throw new UsageError(
      'a table names collections without their ids',
      'compare NDJSON or JSON, or use --where',
    );
  const { fieldSetsKey, fieldsKey } = KIND_WORDS[kind === 'records' ? 'objects' : kind];
  return JSON.stringify({
    [fieldSetsKey]: fields.map((identifier) => ({
      identifier,
      [fieldsKey]: (values(identifier) ?? []).map((value) => ({ value: asText(value) })),
    })),
  });
}
