/** The labels that a deployment gives its fields. Users can write a label instead of a field name, in upper or lower case. */
import { UsageError } from '../errors.js';
import { type ColumnHeader, fieldColumnName, RECORD_COLUMN_NAMES } from '../records/columns.js';
import type { PublishedField } from '../records/field-use.js';
import { findClosestSpelling, findContainingName } from '../suggest-name.js';
import { normalizeText } from './exact-match.js';

/** The labels of columns that are not fields. `id` has no label, because Excel misreads a CSV file that begins with "ID". */
const COLUMN_LABELS: readonly (readonly [column: string, label: string])[] = [
  ['title', 'Title'],
  ['recordType', 'Record type'],
  ['slug', 'Slug'],
  ['collection', 'Collection'],
  ['label', 'Image labels'],
  ['image.count', 'Number of images'],
  ['image.url', 'Image address'],
  ['image.caption', 'Image caption'],
  ['image@copyright', 'Image copyright'],
];

/** An index and an attribute may follow a label, as they may follow a field name: `Date made[0]@earliest_date`. */
const NAME_AND_PART = /^(.+?)((?:\[\d+\])?(?:@[^@]+)?)$/s;

export class FieldLabels {
  /** The header of each column. If the label is not unique, the header contains the field name too: `Title (object_name)`. */
  readonly #headers = new Map<string, string>();
  readonly names: readonly string[];
  readonly #columns = new Map<string, readonly string[]>();

  constructor(fields: readonly Pick<PublishedField, 'identifier' | 'label'>[]) {
    const labels = new Map<string, string>();
    for (const { identifier, label } of fields) {
      const text = label.replace(/\s+/g, ' ').trim();
      if (text !== '' && !labels.has(identifier)) labels.set(identifier, text);
    }
    this.names = [...new Set(fields.map(({ identifier }) => identifier))];
    const uses = new Map<string, number>();
    for (const name of new Set([...RECORD_COLUMN_NAMES, ...this.names]))
      for (const text of new Set([name, labels.get(name) ?? name].map(normalizeText)))
        uses.set(text, (uses.get(text) ?? 0) + 1);
    for (const [identifier, label] of labels) {
      const column = fieldColumnName(identifier);
      const long = `${label} (${identifier})`;
      this.#headers.set(column, uses.get(normalizeText(label)) === 1 ? label : long);
      for (const text of new Set([label, long, `${label} (${column})`].map(normalizeText)))
        this.#columns.set(text, [...(this.#columns.get(text) ?? []), column]);
    }
    for (const [column, label] of COLUMN_LABELS) {
      if (this.#columns.has(normalizeText(label)) || this.names.includes(column)) continue;
      this.#headers.set(column, label);
      this.#columns.set(normalizeText(label), [column]);
    }
    for (const column of RECORD_COLUMN_NAMES) {
      const text = normalizeText(column);
      if (!this.#columns.has(text)) this.#columns.set(text, [column]);
    }
  }

  /** Returns the column for a label; undefined for an unknown label. Throws a UsageError if several fields have the label. */
  findColumn(text: string): string | undefined {
    const [, label = '', part = ''] = NAME_AND_PART.exec(text) ?? [];
    const [column, ...others] = this.#columns.get(normalizeText(label)) ?? [];
    if (column === undefined || others.length === 0) return column && `${column}${part}`;
    const names = [column, ...others].map((name) => `"${name}"`).join(', ');
    throw new UsageError(`several fields have the label "${label}": ${names}`, 'use the name of the field');
  }

  /** Returns the name of the column for a label. Returns names of columns, and unknown texts, unchanged. */
  readonly getName = (text: string): string =>
    [...RECORD_COLUMN_NAMES, ...this.names].includes(text) ? text : (this.findColumn(text) ?? text);

  findField(label: string): string | undefined {
    return this.findColumn(label)?.replace(/^field\./, '');
  }

  /** Returns `Date made` for `production_date`, and the name itself for a field without a label. */
  readonly format = (name: string): string => {
    const [, base = name, part = ''] = NAME_AND_PART.exec(name) ?? [];
    return `${this.#headers.get(base) ?? base}${part}`;
  };

  /** If another column has the same header, adds the name: `Title (object_name)`. Keeps a header that the user gave. */
  createHeaders(columns: readonly ColumnHeader[]): readonly string[] {
    const isGiven = ({ name, header }: ColumnHeader) => name !== header;
    const taken = new Set(columns.filter(isGiven).map(({ header }) => header.toLowerCase()));
    return columns.map((column) => {
      if (isGiven(column)) return column.header;
      const label = this.format(column.name);
      const header = taken.has(label.toLowerCase()) ? `${label} (${column.name})` : label;
      taken.add(header.toLowerCase());
      return header;
    });
  }

  /** Returns the name most similar to `text`, formatted for a hint: `"production_date" (Date made)`. */
  readonly findClosest = (text: string, names: readonly string[]): string | undefined => {
    const known = [...names, ...this.#columns.keys()];
    const near = findContainingName(text.toLowerCase(), known) ?? findClosestSpelling(text, known);
    const [column] = near === undefined || names.includes(near) ? [] : (this.#columns.get(near) ?? []);
    if (column === undefined) return near && `"${near}"`;
    return `"${column}" (${this.format(column)})`;
  };
}
