/** Columns by the normal form: those that were asked for by name, and all with the attributes of fields. */
import {
  type Column,
  column,
  columnNames,
  fieldColumnName,
  RECORD_COLUMN_NAMES,
} from '../service/columns.js';
import type { Kind } from '../service/kinds.js';
import { readRecord } from '../service/record.js';
import { type Columns, cellOf, FoundColumns } from './found-columns.js';
import type { Cell } from './multi.js';
import { octetsOf } from './octets.js';
import type { ParsedRecord } from './parsed-page.js';

/** The columns of that names, in their order. */
export function chosenColumns(kind: Kind, chosen: readonly Column[]): Columns {
  const names = chosen.map(({ name }) => name);
  const places = chosen.map(plainName);
  if (places.every((name) => name !== undefined)) return new PickedColumns(kind, names, places);
  return { names, forget: () => undefined, cells: (record) => readCells(record, kind, chosen) };
}

/** Every column there is, the attributes of each field behind it. `names`: the columns found by a run that is now resumed. */
export function allColumns(kind: Kind, names: readonly string[] = []): Columns {
  const found = (names.length > 0 ? names : RECORD_COLUMN_NAMES).map(column);
  const known = new Set(found.map(({ name }) => name));
  return {
    get names() {
      return found.map(({ name }) => name);
    },
    forget(keep) {
      for (const { name } of found.splice(keep)) known.delete(name);
    },
    cells(record) {
      const read = readRecord(record.page.exact(record.index), kind);
      for (const name of columnNames(read, { withAttributes: true })) {
        if (known.has(name)) continue;
        known.add(name);
        found.push(column(name));
      }
      return readCells(record, kind, found, read);
    },
  };
}

function readCells(
  { page, index }: ParsedRecord,
  kind: Kind,
  columns: readonly Column[],
  record = readRecord(page.exact(index), kind),
): Cell[] {
  return columns.map(({ values }) => {
    const cell = cellOf(values(record));
    if (page.spelling === 'text') return cell;
    return typeof cell === 'string' ? octetsOf(cell) : cell.map(octetsOf);
  });
}

/** Picks from the columns of a record those that were asked for. */
class PickedColumns implements Columns {
  readonly names: readonly string[];
  readonly #found: FoundColumns;
  readonly #places: readonly string[];
  #numbers: number[] = [];
  #known = 0;

  constructor(kind: Kind, names: readonly string[], places: readonly string[]) {
    this.names = names;
    this.#places = places;
    this.#found = new FoundColumns(kind);
  }

  forget(): void {
    // They are all known from the beginning.
  }

  cells(record: ParsedRecord): readonly Cell[] {
    const cells = this.#found.cells(record);
    if (this.#found.names.length !== this.#known) {
      this.#known = this.#found.names.length;
      this.#numbers = this.#places.map((name) => this.#found.names.indexOf(name));
    }
    return this.#numbers.map((number) => cells[number] ?? '');
  }
}

/** The name under which found columns have it; undefined for a part of a field or image, which they have not. */
function plainName({ name, field }: Column): string | undefined {
  if (RECORD_COLUMN_NAMES.includes(name) || (field === undefined && name.startsWith('relationship.')))
    return name;
  return name === field || name === `field.${field}` ? field && fieldColumnName(field) : undefined;
}
