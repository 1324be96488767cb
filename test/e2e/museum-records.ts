/** Reads the records of the built-in museum without the client of opac, so that tests know what a search must find. */
import { startMuseum } from '../../src/mock/index.js';
import { KIND_KEYS, RECORD_KINDS, type RecordKind } from '../../src/service/kinds.js';

export interface MuseumRecord {
  readonly kind: RecordKind;
  readonly id: string;
  /** The values of a field, in order. */
  readonly values: (field: string) => readonly string[];
  readonly collection: string | undefined;
  readonly images: number;
  /** The JSON of the service. The URLs of images differ in each run, because they contain the address of the museum. */
  readonly record: Readonly<Record<string, unknown>>;
}

type Wire = Readonly<Record<string, never>>;

/** Returns the records of all kinds, in the order of the service. */
export async function readMuseumRecords(): Promise<readonly MuseumRecord[]> {
  const museum = await startMuseum({ maxPageSize: 1000 });
  try {
    const lists = RECORD_KINDS.map(async (kind) => {
      const { segment, listKey } = KIND_KEYS[kind];
      const response = await fetch(`${museum.url}/api/v3/${segment}?view=detail&limit=1000`);
      const list = ((await response.json()) as Record<string, readonly Wire[]>)[listKey] ?? [];
      return list.map((record) => museumRecord(kind, record));
    });
    return (await Promise.all(lists)).flat();
  } finally {
    await museum.close();
  }
}

/** Returns the ids of the records that pass, in order. */
export function filterIds(
  records: readonly MuseumRecord[],
  passes: (one: MuseumRecord) => boolean,
): string[] {
  return records.filter(passes).map(({ id }) => id);
}

function museumRecord(kind: RecordKind, record: Wire): MuseumRecord {
  const { idKey, fieldSetsKey, fieldsKey } = KIND_KEYS[kind];
  const sets = (record[fieldSetsKey] ?? []) as readonly Wire[];
  const fields = new Map<string, readonly string[]>(
    sets.map(({ identifier = '', ...set }) => [
      identifier,
      ((set as Wire)[fieldsKey] ?? ([] as readonly Wire[])).map(({ value = '' }) => value as string),
    ]),
  );
  return {
    kind,
    id: record[idKey] ?? '',
    values: (field) => fields.get(field) ?? [],
    collection: (record.opacCollection as Wire | undefined)?.opacCollectionId,
    images:
      ((record.imagesCollection as Wire | undefined)?.images as readonly Wire[] | undefined)?.length ?? 0,
    record,
  };
}
