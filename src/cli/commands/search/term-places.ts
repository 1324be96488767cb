/** Where a term of `--where` is looked for: in a query of the service, or in the records. */
import { UsageError } from '../../../service/errors.js';
import { KIND_KEYS, KINDS, type Kind } from '../../../service/kinds.js';
import {
  fieldColumnName,
  listColumnNames,
  parseColumn,
  RECORD_COLUMN_NAMES,
} from '../../../service/records/columns.js';
import { type CollectionRecord, readRecord, TITLE_FIELDS } from '../../../service/records/record.js';
import type { SearchTerms } from '../../../service/search/query.js';
import { pagingParameters, searchParameters } from '../../../service/search/record-search.js';
import { didYouMean, findClosestName } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { readItemList } from '../items/read-list.js';
import { fetchEndpointPages } from './search-pages.js';

/** Fields of the query language that no view shows (INTERFACE.md "Fields stated", FIELD-NOTES.md "Answers"). */
export const QUERY_FIELDS: ReadonlySet<string> = new Set([
  'collections',
  'highlight',
  'external_object_id',
  ...KINDS.map((kind) => KIND_KEYS[kind].idKey),
]);

const PAGE = 100;

/** A name of a term: a field for the query, or a column to compare. */
export interface Place {
  readonly field: string;
  readonly isColumn: boolean;
}

const inQuery = (field: string): Place => ({ field, isColumn: false });
const inRecord = (field: string): Place => ({ field, isColumn: true });

/** The names that a deployment has, as far as its views and its records tell. */
export class KnownNames {
  readonly #context: Context;
  readonly #kind: Kind;
  readonly #published: readonly string[];
  #first: Promise<readonly CollectionRecord[]> | undefined;

  constructor(context: Context, kind: Kind, published: readonly string[]) {
    this.#context = context;
    this.#kind = kind;
    this.#published = published;
  }

  /** Where a term is looked for; `terms` ask the service for it alone. Throws a UsageError for an unknown name. */
  async place(name: string, value: string, terms: SearchTerms): Promise<Place> {
    if (name === 'title') return this.#titlePlace(value);
    if (name === 'id') return value === '' ? inRecord('id') : inQuery('external_object_id');
    if (QUERY_FIELDS.has(name)) return value === '' ? inRecord(columnOf(name)) : inQuery(name);
    if (this.#published.includes(name)) return inQuery(name);
    const { field } = parseColumn(name);
    if (field !== undefined && (field === name || name === `field.${field}`))
      return this.#fieldPlace(field, value, terms);
    return this.#columnPlace(name, field);
  }

  /** The field that the column `title` shows; undefined where neither views nor records have one. */
  async titleField(): Promise<string | undefined> {
    if (this.#context.dryRunLog) return 'title';
    const published = TITLE_FIELDS.find((field) => this.#published.includes(field));
    if (published !== undefined) return published;
    const records = await this.#firstRecords();
    return TITLE_FIELDS.find((field) => records.some(({ fields }) => fields.has(field)));
  }

  async #titlePlace(value: string): Promise<Place> {
    const title = await this.titleField();
    if (title === undefined) return inRecord('title');
    return value === '' && !this.#published.includes(title) ? inRecord(title) : inQuery(title);
  }

  /** `base` is the field of an attribute or of a numbered value. */
  async #columnPlace(name: string, base: string | undefined): Promise<Place> {
    if (RECORD_COLUMN_NAMES.includes(name) || this.#context.dryRunLog) return inRecord(name);
    if (base !== undefined && !this.#published.includes(base) && !(await this.#isShown(base)))
      throw await this.#unknown(base);
    const { values } = parseColumn(name);
    if (await this.#isHeld((record) => values(record).length > 0)) return inRecord(name);
    const columns = (await this.#firstRecords()).flatMap((each) =>
      listColumnNames(each, { withAttributes: true }),
    );
    throw new UsageError(
      `no ${this.#kind} have a value in "${name}"`,
      didYouMean(name, [...new Set(columns)]),
    );
  }

  /** A field whose name is also that of a column, or that no view names. */
  async #fieldPlace(name: string, value: string, terms: SearchTerms): Promise<Place> {
    if (this.#published.includes(name) || this.#context.dryRunLog) return inQuery(name);
    const isKnown =
      (await this.#isShown(name)) ||
      (value === ''
        ? this.#published.length === 0 && (await this.#isHeld(({ fields }) => fields.has(name)))
        : await this.#finds(name, terms));
    if (!isKnown) throw await this.#unknown(name);
    // Whether the service can search the field is not known, so a gap is looked for in the records.
    return value === '' ? inRecord(fieldColumnName(name)) : inQuery(name);
  }

  /** Whether the first records show the field; nothing can be said where there are none, and nothing is found there. */
  async #isShown(name: string): Promise<boolean> {
    const records = await this.#firstRecords();
    return records.length === 0 || records.some(({ fields }) => fields.has(name));
  }

  /** Whether the service finds the value in a record that has the field; it may ignore a term that it does not know. */
  async #finds(name: string, terms: SearchTerms): Promise<boolean> {
    const first = terms.oneOf && { ...terms.oneOf, values: terms.oneOf.values.slice(0, 1) };
    const records = await this.#page(first ? { oneOf: first } : terms, 1).catch(() => []);
    this.#context.signal.throwIfAborted();
    return records.some(({ fields }) => fields.has(name));
  }

  /** Whether any record of the kind passes. Requests page after page until one does. */
  async #isHeld(passes: (record: CollectionRecord) => boolean): Promise<boolean> {
    const first = await this.#firstRecords();
    if (first.length === 0 || first.some(passes)) return true;
    const query = searchParameters({ terms: {}, view: 'detail' });
    const paging = { offset: first.length, limit: undefined, pageSize: PAGE };
    const { pages, failure } = await fetchEndpointPages(this.#context, `${this.#kind}.search`, query, paging);
    for await (const page of pages)
      if (page.some((record) => passes(readRecord(record, this.#kind)))) return true;
    const unread = failure?.();
    if (unread) throw unread;
    return false;
  }

  #firstRecords(): Promise<readonly CollectionRecord[]> {
    this.#first ??= this.#page({}, PAGE);
    return this.#first;
  }

  async #page(terms: SearchTerms, limit: number): Promise<readonly CollectionRecord[]> {
    const { client: open, signal } = this.#context;
    const client = await open();
    const query = [...searchParameters({ terms, view: 'detail' }), ...pagingParameters(limit, 0)];
    const id = `${this.#kind}.search` as const;
    return readItemList(await client.get(id, { query, signal }), id).records.map((each) =>
      readRecord(each, this.#kind),
    );
  }

  async #unknown(name: string): Promise<UsageError> {
    const shown = (await this.#firstRecords()).flatMap(({ fields }) => [...fields.keys()]);
    return unknownField(name, this.#kind, [...new Set([...this.#published, ...shown])]);
  }
}

/** The column that shows what a field of the query language holds: no query is known to find records without it. */
function columnOf(field: string): string {
  if (field === 'highlight')
    throw new UsageError('records do not show their highlights, so those without one cannot be found');
  return field === 'collections' ? 'collection' : 'id';
}

export function unknownField(name: string, kind: Kind, known: readonly string[]): UsageError {
  const near = findClosestName(name, [...known, ...RECORD_COLUMN_NAMES]);
  return new UsageError(
    `the deployment publishes no field "${name}" of ${kind}`,
    near
      ? `did you mean "${near}"?`
      : `choose from ${known.slice(0, 12).join(', ')}${known.length > 12 ? ', …' : ''}; search other fields with --query`,
  );
}
