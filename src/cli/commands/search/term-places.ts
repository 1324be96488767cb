/** Decides for each term of `--where` whether the service searches for it or opac compares the records. */
import { findRightsColumn } from '../../../images/image-columns.js';
import { UsageError } from '../../../service/errors.js';
import { KIND_KEYS, KINDS, type Kind } from '../../../service/kinds.js';
import {
  fieldColumnName,
  listColumnNames,
  listImageColumnNames,
  parseColumn,
  RECORD_COLUMN_NAMES,
} from '../../../service/records/columns.js';
import { type CollectionRecord, readRecord, TITLE_FIELDS } from '../../../service/records/record.js';
import {
  areDates,
  createRangeError,
  isYearRange,
  looksLikeRange,
  parseRangeTerm,
} from '../../../service/search/date-terms.js';
import { FieldLabels } from '../../../service/search/field-labels.js';
import {
  assertFieldName,
  type ColumnTerm,
  type FieldTerm,
  type SearchTerms,
} from '../../../service/search/query.js';
import { searchParameters } from '../../../service/search/record-search.js';
import { didYouMean } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { fetchEndpointPages } from './endpoint-pages.js';
import { fetchFacetsWithValues } from './field-values.js';
import { fetchPublishedFields, fetchSearchPage } from './search-pages.js';

/** Fields of the query language that are not in the views (INTERFACE.md "Fields stated", FIELD-NOTES.md "Answers"). */
export const QUERY_FIELDS: ReadonlySet<string> = new Set([
  'collections',
  'highlight',
  'external_object_id',
  ...KINDS.map((kind) => KIND_KEYS[kind].idKey),
]);

const PAGE_SIZE = 100;

/** The possible values of columns such as `production_date@problem`; `''` for a date without a problem. */
const DATE_PROBLEMS: readonly string[] = ['different', 'unreadable', ''];

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
  #first: Promise<readonly CollectionRecord[]> | undefined;
  #labels: Promise<FieldLabels> | undefined;

  constructor(context: Context, kind: Kind) {
    this.#context = context;
    this.#kind = kind;
  }

  /** `sort`: a field, a label or `title`. Returns undefined for `title` if no field contains titles. Keeps unknown names. */
  async findSortField(sort: string | undefined): Promise<string | undefined> {
    if (sort === 'title') return this.findTitleField();
    if (sort === undefined || this.#context.dryRunLog || isSortedByService(sort)) return sort;
    // If the first records contain the field, opac need not request the views. With --from, the views list all fields.
    const isFromFiles = this.#context.globalOptions.from.length > 0;
    if (!isFromFiles && (await this.#isInFirstRecords(sort))) return sort;
    const labels = await this.#fetchLabels();
    return labels.names.includes(sort) ? sort : (labels.findField(sort) ?? sort);
  }

  /** Replaces a label with a name. Keeps an unknown name, but throws a UsageError if the name is not valid in a query. */
  async findFacet(name: string): Promise<string> {
    if (this.#context.dryRunLog || QUERY_FIELDS.has(name)) return name;
    const labels = await this.#fetchLabels();
    if (labels.names.includes(name)) return name;
    const facets = await fetchFacetsWithValues(this.#context, this.#kind).catch(() => []);
    if (facets.some(({ facetId }) => facetId === name)) return name;
    const named = facets.map(({ facetId, label }) => ({ identifier: facetId, label }));
    return new FieldLabels(named).findField(name) ?? labels.findField(name) ?? assertFieldName(name);
  }

  /** Returns undefined if neither the views nor the first records have the column. */
  async findColumn(name: string): Promise<{ readonly name: string; readonly label: string } | undefined> {
    const labels = await this.#fetchLabels();
    const column = labels.names.includes(name) ? fieldColumnName(name) : name;
    const { values } = parseColumn(column);
    const isKnown =
      labels.names.includes(name) ||
      (await this.#fetchFirstRecords()).some((record) => values(record).length > 0);
    return isKnown ? { name: column, label: labels.format(column) } : undefined;
  }

  async listImageColumns(): Promise<readonly string[]> {
    return [...new Set((await this.#fetchFirstRecords()).flatMap(listImageColumnNames))];
  }

  /** Throws a UsageError for an unknown name or an invalid range. Returns a column for dates: the service cannot compare them. */
  async placeTerm({ field, value }: FieldTerm): Promise<ColumnTerm & Place> {
    const term = { value, ...(await this.findPlace(field, value, { where: [{ field, value }] })) };
    const dates = parseRangeTerm(value);
    if (!dates && !looksLikeRange(value)) return term;
    const column = term.isColumn ? term.field : fieldColumnName(term.field);
    const isDate = QUERY_FIELDS.has(term.field) ? false : await this.areDates(column);
    if (!dates) {
      if (isDate || isYearRange(value)) throw createRangeError(value);
      return term;
    }
    if (isDate !== false) return { field: column, value, dates, isColumn: true };
    if (!isYearRange(value)) return term;
    throw new UsageError(
      `the values of "${field}" are not dates, so "${value}" cannot be a range of years`,
      'to search for this text, use --query',
    );
  }

  /** Whether the values of a column are dates; undefined if the first records do not show this. */
  async areDates(column: string): Promise<boolean | undefined> {
    return this.#context.dryRunLog ? undefined : areDates(await this.#fetchFirstRecords(), column);
  }

  /**
   * `terms`: a search with only this term, which shows whether the service knows the field. For a list, `value` is the first
   * value of the list. Throws a UsageError for an unknown name.
   */
  async findPlace(name: string, value: string, terms: SearchTerms): Promise<Place> {
    if (name === 'title') return this.#findTitlePlace(value);
    if (name === 'id') return value === '' ? createColumn('id') : createField('external_object_id');
    if (QUERY_FIELDS.has(name))
      return value === '' ? createColumn(getColumnForQueryField(name)) : createField(name);
    if ((await this.#fetchLabels()).names.includes(name)) return createField(name);
    const { field } = parseColumn(name);
    if (field !== undefined && (field === name || name === `field.${field}`))
      return this.#findFieldPlace(field, value, terms);
    return this.#findColumnPlace(name, value, field);
  }

  async findTitleField(): Promise<string | undefined> {
    if (this.#context.dryRunLog) return 'title';
    const { names } = await this.#fetchLabels();
    const published = TITLE_FIELDS.find((field) => names.includes(field));
    if (published !== undefined) return published;
    const records = await this.#fetchFirstRecords();
    return TITLE_FIELDS.find((field) => records.some(({ fields }) => fields.has(field)));
  }

  async #findTitlePlace(value: string): Promise<Place> {
    const title = await this.findTitleField();
    if (title === undefined) return createColumn('title');
    const { names } = await this.#fetchLabels();
    return value === '' && !names.includes(title) ? createColumn(title) : createField(title);
  }

  /** `base` is the field of a column such as `measurements[0]` or `production_date@from`; undefined for other columns. */
  async #findColumnPlace(name: string, value: string, base: string | undefined): Promise<Place> {
    if (RECORD_COLUMN_NAMES.includes(name) || this.#context.dryRunLog) return createColumn(name);
    if (name.endsWith('@problem') && !DATE_PROBLEMS.includes(value))
      throw new UsageError(`"${name}" cannot be "${value}"`, 'use different or unreadable');
    const { names } = await this.#fetchLabels();
    if (base === 'title' && !names.includes(base))
      throw new UsageError(
        `the column "title" has no "${name.slice(base.length)}"`,
        '@from, @to and @problem are only for fields of dates',
      );
    if (base !== undefined && !names.includes(base) && !(await this.#isInFirstRecords(base)))
      return this.#findLabelPlace(name, value, base);
    if (name === 'image.caption') return createColumn(name);
    const { values } = parseColumn(name);
    if (await this.#hasSomeRecord((record) => values(record).length > 0)) return createColumn(name);
    const columns = (await this.#fetchFirstRecords()).flatMap((each) => [
      ...listColumnNames(each, { withAttributes: true, withRelatedIds: true }),
      ...listImageColumnNames(each),
    ]);
    throw new UsageError(
      `no ${this.#kind} have a value in "${name}"`,
      didYouMean(name, [...new Set(columns)]),
    );
  }

  /** Finds the place of a field that is not in the views, or that is written `field.<name>`. */
  async #findFieldPlace(name: string, value: string, terms: SearchTerms): Promise<Place> {
    const { names } = await this.#fetchLabels();
    if (names.includes(name) || this.#context.dryRunLog) return createField(name);
    const isKnown =
      (await this.#isInFirstRecords(name)) ||
      (value === ''
        ? names.length === 0 && (await this.#hasSomeRecord(({ fields }) => fields.has(name)))
        : await this.#isFoundByService(name, terms));
    if (!isKnown) return this.#findLabelPlace(name, value);
    // The service may not be able to search this field, so opac looks for empty values in the records.
    return value === '' ? createColumn(fieldColumnName(name)) : createField(name);
  }

  /** Throws a UsageError that names `base` if no field has this label. */
  async #findLabelPlace(label: string, value: string, base = label): Promise<Place> {
    const column = (await this.#fetchLabels()).findColumn(label);
    if (column === undefined) throw await this.#createUnknownFieldError(base);
    return this.findPlace(column, value, { where: [{ field: column, value }] });
  }

  /** Also returns true if no records exist, because the search then finds nothing anyway. */
  async #isInFirstRecords(name: string): Promise<boolean> {
    const records = await this.#fetchFirstRecords();
    return records.length === 0 || records.some(({ fields }) => fields.has(name));
  }

  /** The service may ignore a term with an unknown field, so opac checks that a found record has the field. */
  async #isFoundByService(name: string, terms: SearchTerms): Promise<boolean> {
    const first = terms.oneOf && { ...terms.oneOf, values: terms.oneOf.values.slice(0, 1) };
    const records = await this.#fetchRecords(first ? { oneOf: first } : terms, 1).catch(() => []);
    this.#context.signal.throwIfAborted();
    return records.some(({ fields }) => fields.has(name));
  }

  /** Reads pages until a record passes the test. Also returns true if no records exist. */
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

  #fetchLabels(): Promise<FieldLabels> {
    this.#labels ??= (
      this.#context.dryRunLog ? Promise.resolve([]) : fetchPublishedFields(this.#context, this.#kind)
    ).then((fields) => new FieldLabels(fields));
    return this.#labels;
  }

  async #createUnknownFieldError(name: string): Promise<UsageError> {
    const records = await this.#fetchFirstRecords();
    const shown = records.flatMap(({ fields }) => [...fields.keys()]);
    const columns = records.flatMap(listImageColumnNames);
    return createUnknownFieldError(name, this.#kind, await this.#fetchLabels(), shown, columns);
  }
}

const SORTED_BY_SERVICE: readonly string[] = ['accession_no', ...TITLE_FIELDS];

/** Returns true for titles, accession numbers and query fields. They are not dates, so the service can sort by them. */
export function isSortedByService(sort: string): boolean {
  return SORTED_BY_SERVICE.includes(sort) || QUERY_FIELDS.has(sort);
}

/**
 * For an empty value: returns the column that opac compares, because no query finds these records. Throws a UsageError for
 * `highlight`.
 */
function getColumnForQueryField(field: string): string {
  if (field === 'highlight')
    throw new UsageError('cannot find records without a highlight: records do not contain their highlights');
  return field === 'collections' ? 'collection' : 'id';
}

/** `shown`: the names of fields in records. `columns`: other columns that opac can compare. */
export function createUnknownFieldError(
  name: string,
  kind: Kind,
  labels: FieldLabels,
  shown: readonly string[] = [],
  columns: readonly string[] = [],
): UsageError {
  const names = [...new Set([...labels.names, ...shown])];
  const known = [...names, ...RECORD_COLUMN_NAMES, ...columns];
  const rights = findRightsColumn(name, known);
  const near = rights ? `"${rights}"` : labels.findClosest(name, known);
  return new UsageError(
    `unknown field "${name}" of ${kind}`,
    near
      ? `did you mean ${near}?`
      : `choose from ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', …' : ''}; search other fields with --query`,
  );
}
