/** Decides for each term of `--where` whether the service searches for it, or opac compares the records. */
import { UsageError } from '../../../service/errors.js';
import { KIND_KEYS, KINDS, type Kind } from '../../../service/kinds.js';
import {
  fieldColumnName,
  listColumnNames,
  parseColumn,
  RECORD_COLUMN_NAMES,
} from '../../../service/records/columns.js';
import { type CollectionRecord, readRecord, TITLE_FIELDS } from '../../../service/records/record.js';
import { areDates, isYearRange, parseRangeTerm } from '../../../service/search/date-terms.js';
import type { ColumnTerm, FieldTerm, SearchTerms } from '../../../service/search/query.js';
import { searchParameters } from '../../../service/search/record-search.js';
import { didYouMean, findClosestName } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { fetchEndpointPages } from './endpoint-pages.js';
import { fetchSearchPage } from './search-pages.js';

/** Fields of the query language that are not in the views (INTERFACE.md "Fields stated", FIELD-NOTES.md "Answers"). */
export const QUERY_FIELDS: ReadonlySet<string> = new Set([
  'collections',
  'highlight',
  'external_object_id',
  ...KINDS.map((kind) => KIND_KEYS[kind].idKey),
]);

const PAGE_SIZE = 100;

/** What the name in a term means: a field that the service can search, or a column that opac compares. */
export interface Place {
  readonly field: string;
  readonly isColumn: boolean;
}

const createField = (field: string): Place => ({ field, isColumn: false });
const createColumn = (field: string): Place => ({ field, isColumn: true });

/** The field names of a deployment, from its views and records. */
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

  /** Returns a term of `--where` with its place. A range of years in a field with dates becomes a column with dates. */
  async placeTerm({ field, value }: FieldTerm): Promise<ColumnTerm & Place> {
    const term = { value, ...(await this.findPlace(field, value, { where: [{ field, value }] })) };
    const dates = parseRangeTerm(value);
    if (!dates) return term;
    const column = term.isColumn ? term.field : fieldColumnName(term.field);
    const isDate = QUERY_FIELDS.has(term.field) ? false : await this.areDates(column);
    if (isDate !== false) return { field: column, value, dates, isColumn: true };
    if (!isYearRange(value)) return term;
    throw new UsageError(
      `the values of "${field}" are not dates, so "${value}" cannot be a range of years`,
      'to search for this text, use --query',
    );
  }

  /** Whether the values of a column are dates; undefined if the first records do not show it. */
  async areDates(column: string): Promise<boolean | undefined> {
    return this.#context.dryRunLog ? undefined : areDates(await this.#fetchFirstRecords(), column);
  }

  /** Returns the place of a term. `terms`: a search for only this term. Throws a UsageError for an unknown name. */
  async findPlace(name: string, value: string, terms: SearchTerms): Promise<Place> {
    if (name === 'title') return this.#findTitlePlace(value);
    if (name === 'id') return value === '' ? createColumn('id') : createField('external_object_id');
    if (QUERY_FIELDS.has(name))
      return value === '' ? createColumn(getColumnForQueryField(name)) : createField(name);
    if (this.#published.includes(name)) return createField(name);
    const { field } = parseColumn(name);
    if (field !== undefined && (field === name || name === `field.${field}`))
      return this.#findFieldPlace(field, value, terms);
    return this.#findColumnPlace(name, field);
  }

  /** Returns the field of the column `title`; undefined if neither the views nor the records have one. */
  async findTitleField(): Promise<string | undefined> {
    if (this.#context.dryRunLog) return 'title';
    const published = TITLE_FIELDS.find((field) => this.#published.includes(field));
    if (published !== undefined) return published;
    const records = await this.#fetchFirstRecords();
    return TITLE_FIELDS.find((field) => records.some(({ fields }) => fields.has(field)));
  }

  async #findTitlePlace(value: string): Promise<Place> {
    const title = await this.findTitleField();
    if (title === undefined) return createColumn('title');
    return value === '' && !this.#published.includes(title) ? createColumn(title) : createField(title);
  }

  /** Returns the place of a column. `base`: the field that the attribute or the numbered value belongs to. */
  async #findColumnPlace(name: string, base: string | undefined): Promise<Place> {
    if (RECORD_COLUMN_NAMES.includes(name) || this.#context.dryRunLog) return createColumn(name);
    if (base !== undefined && !this.#published.includes(base) && !(await this.#isInFirstRecords(base)))
      throw await this.#createUnknownFieldError(base);
    const { values } = parseColumn(name);
    if (await this.#hasSomeRecord((record) => values(record).length > 0)) return createColumn(name);
    const columns = (await this.#fetchFirstRecords()).flatMap((each) =>
      listColumnNames(each, { withAttributes: true, withRelatedIds: true }),
    );
    throw new UsageError(
      `no ${this.#kind} have a value in "${name}"`,
      didYouMean(name, [...new Set(columns)]),
    );
  }

  /** Returns a field that is not in the views, or whose name is also the name of a column. */
  async #findFieldPlace(name: string, value: string, terms: SearchTerms): Promise<Place> {
    if (this.#published.includes(name) || this.#context.dryRunLog) return createField(name);
    const isKnown =
      (await this.#isInFirstRecords(name)) ||
      (value === ''
        ? this.#published.length === 0 && (await this.#hasSomeRecord(({ fields }) => fields.has(name)))
        : await this.#isFoundByService(name, terms));
    if (!isKnown) throw await this.#createUnknownFieldError(name);
    // The service may not be able to search this field, so opac looks for empty values in the records.
    return value === '' ? createColumn(fieldColumnName(name)) : createField(name);
  }

  /** Whether one of the first records has the field. Also true if no records exist, because then the search finds nothing. */
  async #isInFirstRecords(name: string): Promise<boolean> {
    const records = await this.#fetchFirstRecords();
    return records.length === 0 || records.some(({ fields }) => fields.has(name));
  }

  /** Whether the service finds a record with this value in the field. It may ignore a term with an unknown field. */
  async #isFoundByService(name: string, terms: SearchTerms): Promise<boolean> {
    const first = terms.oneOf && { ...terms.oneOf, values: terms.oneOf.values.slice(0, 1) };
    const records = await this.#fetchRecords(first ? { oneOf: first } : terms, 1).catch(() => []);
    this.#context.signal.throwIfAborted();
    return records.some(({ fields }) => fields.has(name));
  }

  /** Whether a record of this kind passes the test. Reads pages until one does. */
  async #hasSomeRecord(isMatch: (record: CollectionRecord) => boolean): Promise<boolean> {
    const first = await this.#fetchFirstRecords();
    if (first.length === 0 || first.some(isMatch)) return true;
    const query = searchParameters({ terms: {}, view: 'detail' });
    const paging = { offset: first.length, limit: undefined, pageSize: PAGE_SIZE };
    const { pages, failure } = await fetchEndpointPages(this.#context, `${this.#kind}.search`, query, paging);
    for await (const page of pages)
      if (page.some((record) => isMatch(readRecord(record, this.#kind)))) return true;
    const unread = failure?.();
    if (unread) throw unread;
    return false;
  }

  #fetchFirstRecords(): Promise<readonly CollectionRecord[]> {
    this.#first ??= this.#fetchRecords({}, PAGE_SIZE);
    return this.#first;
  }

  async #fetchRecords(terms: SearchTerms, limit: number): Promise<readonly CollectionRecord[]> {
    const search = { terms, view: 'detail' };
    const { records } = await fetchSearchPage(this.#context, this.#kind, search, { offset: 0, limit });
    return records.map((each) => readRecord(each, this.#kind));
  }

  async #createUnknownFieldError(name: string): Promise<UsageError> {
    const shown = (await this.#fetchFirstRecords()).flatMap(({ fields }) => [...fields.keys()]);
    return createUnknownFieldError(name, this.#kind, [...new Set([...this.#published, ...shown])]);
  }
}

/** Returns the column to compare for an empty query field, for which no query is known. Throws a UsageError for `highlight`. */
function getColumnForQueryField(field: string): string {
  if (field === 'highlight')
    throw new UsageError('cannot find records without a highlight: records do not contain their highlights');
  return field === 'collections' ? 'collection' : 'id';
}

export function createUnknownFieldError(name: string, kind: Kind, known: readonly string[]): UsageError {
  const near = findClosestName(name, [...known, ...RECORD_COLUMN_NAMES]);
  return new UsageError(
    `unknown field "${name}" of ${kind}`,
    near
      ? `did you mean "${near}"?`
      : `choose from ${known.slice(0, 12).join(', ')}${known.length > 12 ? ', …' : ''}; search other fields with --query`,
  );
}
