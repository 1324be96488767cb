/** How the items of a listing become rows and cards: one sheet for records, one for each other noun. */
import { column, columnNames, RECORD_COLUMN_NAMES } from '../service/columns.js';
import { flat } from '../service/flat.js';
import { isObject, type Json } from '../service/json.js';
import type { Kind } from '../service/kinds.js';
import { type CollectionRecord, readRecord } from '../service/record.js';
import type { Terminal } from './output/terminal.js';

export interface SheetColumn {
  readonly name: string;
  readonly align?: 'right';
  /** Never cut in a table: people copy it. */
  readonly whole?: true;
  /** How much of a narrow table it gets, against 1 for others. */
  readonly weight?: number;
  readonly values: (item: Json) => readonly string[];
}

export interface Sheet {
  readonly id: (item: Json) => string;
  /** The column of that name. Throws a UsageError for a name that cannot be one. */
  readonly column: (name: string) => SheetColumn;
  /** Names among `names` that neither these items nor `known` have. */
  readonly unknown: (
    names: readonly string[],
    items: readonly Json[],
    known: readonly string[],
  ) => readonly string[];
  /** Every column of these items, for programs; `all` with attributes. */
  readonly every: (items: readonly Json[], all: boolean) => readonly SheetColumn[];
  /** The few columns that people look for. */
  readonly forPeople: (items: readonly Json[]) => readonly SheetColumn[];
  /** The item in the normal form, for `--flat`. */
  readonly flat: (item: Json) => unknown;
  readonly card: (item: Json, terminal: Terminal) => Promise<string>;
}

/** Fields that a registrar looks for first, where a deployment has them (identifiers seen on deployments). */
const FAMILIAR_FIELDS = [
  'accession_no',
  'maker_name',
  'production_date',
  'life_dates',
  'birth_place',
  'address',
];

/** The sheet of records: columns are the service's dynamic fields. */
export function recordSheet(kind: Kind): Sheet {
  const read = reader(kind);
  const named = (name: string): SheetColumn => {
    const { values } = column(name);
    return {
      name,
      ...(/\.count$/.test(name) && { align: 'right' as const }),
      ...(name === 'id' && { whole: true as const }),
      ...(name === 'title' && { weight: 2 }),
      values: (item) => values(read(item)),
    };
  };
  return {
    id: (item) => read(item).id,
    column: named,
    unknown: (names, items, known) => {
      const fields = new Set([...known, ...items.flatMap((item) => [...read(item).fields.keys()])]);
      return names.filter((name) => {
        const { field } = column(name);
        return field !== undefined && !name.startsWith('field.') && !fields.has(field);
      });
    },
    every: (items, all) => {
      const names = items.flatMap((item) => columnNames(read(item), { withAttributes: all }));
      return [...new Set([...RECORD_COLUMN_NAMES, ...names])].map(named);
    },
    forPeople: (items) => {
      const present = (name: string) => items.some((item) => column(name).values(read(item)).length > 0);
      const mixed = new Set(items.map((item) => read(item).recordType)).size > 1 || kind === 'records';
      return ['id', ...(mixed ? ['recordType'] : []), 'title', ...FAMILIAR_FIELDS.filter(present)].map(named);
    },
    flat: (item) => flat(read(item)),
    card: async (item, terminal) => (await import('./output/card.js')).renderCard(read(item), terminal),
  };
}

/** Reads each record once, however many columns ask for it. */
function reader(kind: Kind): (item: Json) => CollectionRecord {
  const known = new WeakMap<object, CollectionRecord>();
  return (item) => {
    if (!isObject(item)) return readRecord(item, kind);
    const record = known.get(item) ?? readRecord(item, kind);
    known.set(item, record);
    return record;
  };
}
