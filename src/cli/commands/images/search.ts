/** Finds the records for `opac images`. */
import { type ImageColumn, isOfImage, parseImageColumn } from '../../../images/image-columns.js';
import type { IsWanted } from '../../../images/image-row.js';
import {
  createRightsRule,
  parseRights,
  type RightsEntry,
  type RightsRule,
} from '../../../images/rights/rights-rule.js';
import type { OpacError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import { parseColumn } from '../../../service/records/columns.js';
import { type CollectionRecord, readRecord } from '../../../service/records/record.js';
import { RecordFilter } from '../../../service/search/exact-match.js';
import { FieldLabels } from '../../../service/search/field-labels.js';
import type { ColumnTerm, FieldTerm } from '../../../service/search/query.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
import { findFileFailure } from '../../description/from-files.js';
import type { OptionDescription, ValuesOf } from '../../description/option.js';
import { SEARCH } from '../../options/groups.js';
import {
  IMAGE_SEARCH_OPTIONS,
  ORDER_OPTIONS,
  type PagingInput,
  pagingOptions,
  parseSearch,
  resolvePaging,
  type SearchInput,
} from '../../options/search.js';
import { noteEmptyResultHint } from '../hints/nothing-found.js';
import { ValueCounts } from '../hints/value-counts.js';
import { findFailure } from '../search/endpoint-pages.js';
import { explainErrors } from '../search/known-fields.js';
import { resolveSearch } from '../search/resolve-search.js';
import { fetchPublishedFields, searchPages } from '../search/search-pages.js';

const KIND_OPTION = {
  group: SEARCH,
  flags: '--kind <kind>',
  summary: `kind of record: ${KINDS.join(', ')}`,
  default: 'objects',
  choices: KINDS,
} as const satisfies OptionDescription;

export const RIGHTS_OPTION = {
  flags: '--rights <field=values>',
  summary:
    'only images with one of these values in a field of the record or in an attribute of the image, such as image@copyright="Public domain,CC0"; repeatable',
  repeatable: true,
  parse: parseRights,
} as const satisfies OptionDescription;

/** `limit` is the default of `--limit`; undefined for all images. */
export function imageSearchOptions(limit?: number) {
  return [KIND_OPTION, ...IMAGE_SEARCH_OPTIONS, ...ORDER_OPTIONS, ...pagingOptions(limit, 'images')] as const;
}

export interface ImageSearch {
  readonly kind: Kind;
  readonly search: SearchInput;
  /** The offset and the limit count images; the page size counts records. */
  readonly paging: PagingInput;
}

type ImageSearchValues = ValuesOf<ReturnType<typeof imageSearchOptions>> & {
  readonly text: readonly string[];
};

export function parseImageSearch(input: ImageSearchValues, limit?: number): ImageSearch {
  return { kind: input.kind, search: parseSearch(input), paging: resolvePaging(input, limit) };
}

export interface FoundRecords {
  readonly search: RecordSearch;
  readonly pages: AsyncIterable<readonly CollectionRecord[]>;
  readonly isWanted: IsWanted;
  /** Lists the most frequent values of the first image column in `--where`; undefined if there are none. */
  readonly describeValues: () => string | undefined;
  /** Returns an error if records may be missing. Call this function after the last page. */
  readonly failure: () => OpacError | undefined;
}

/** Kinds whose search accepts `hasImages` (persons: INTERFACE.md "Person records"; objects: FIELD-NOTES.md "Requests"). */
const HAS_IMAGES_KINDS: ReadonlySet<Kind> = new Set<Kind>(['objects', 'persons']);

/** Returns true for a term that each image must match, such as `image@copyright`. Other terms apply to the record. */
const isImageTerm = ({ field }: ColumnTerm) => field === 'label' || isOfImage(field);

/** Maps columns of `images list` to their names in `--where` of other commands. */
const RENAMED_COLUMNS: ReadonlyMap<string, string> = new Map([
  ['caption', 'image.caption'],
  ['labels', 'label'],
]);

const renameColumn = (term: FieldTerm): FieldTerm => ({
  ...term,
  field: RENAMED_COLUMNS.get(term.field) ?? term.field,
});

export async function findRecords(
  context: Context,
  { kind, search: input, paging }: ImageSearch,
): Promise<FoundRecords> {
  const renamed = { ...input, terms: { ...input.terms, where: input.terms.where.map(renameColumn) } };
  const { terms, ...resolved } = await resolveSearch(renamed, context, kind);
  const { columns = [] } = terms;
  const filter = new RecordFilter({ columns: columns.filter(isImageTerm) });
  const others = columns.filter((term) => !isImageTerm(term));
  const search = {
    ...resolved,
    terms: { ...terms, columns: others.length > 0 ? others : undefined },
    ...(HAS_IMAGES_KINDS.has(kind) && { hasImages: true }),
  };
  const found = await searchPages(context, kind, search, { ...paging, offset: 0, limit: undefined });
  const pages = explainErrors(found.pages, context, kind, search);
  const [term] = columns.filter((each) => isImageTerm(each) && each.value !== '');
  const values = new ValueCounts();
  const isWanted: IsWanted = ({ record, image }) => {
    const alone = { ...record, images: [image] };
    if (term) values.add(parseColumn(term.field).values(alone));
    return filter.isKept(alone);
  };
  const fileFailure = await findFileFailure(context);
  const failure = () => findFailure(found, context) ?? fileFailure;
  const describeValues = () => term && values.describe(`"${term.field}"`);
  return { search, pages: readRecords(pages, kind), isWanted, failure, describeValues };
}

/** Returns a function that replaces the label of a field by its name. */
export function createImageColumnResolver(context: Context, kind: Kind) {
  let labels: Promise<FieldLabels> | undefined;
  return async (column: ImageColumn): Promise<ImageColumn> => {
    if (column.field === undefined) return column;
    labels ??= fetchPublishedFields(context, kind).then((fields) => new FieldLabels(fields));
    const { names, getName } = await labels;
    return names.includes(column.field) ? column : parseImageColumn(getName(column.name));
  };
}

/** Returns the rule of `--rights`, with names of fields instead of labels; undefined without entries. */
export async function resolveRights(
  context: Context,
  kind: Kind,
  entries: readonly RightsEntry[],
): Promise<RightsRule | undefined> {
  const resolveColumn = createImageColumnResolver(context, kind);
  const resolved = entries.map(async ({ field, value }) => ({
    field: (await resolveColumn(parseImageColumn(field))).name,
    value,
  }));
  return createRightsRule(await Promise.all(resolved));
}

/** `reason`: why the rule excludes the first image. */
export function formatRefusal(reason: string): string {
  return `--rights excludes all images; for the first one, ${reason}`;
}

/** Prints that no images were found, and a hint. Never throws. */
export async function noteNoImages(context: Context, kind: Kind, found: FoundRecords): Promise<void> {
  context.note('no images match');
  await noteNoImagesHint(context, kind, found);
}

/** Prints the most frequent values of the `--where` column, or another hint. Never throws. */
export async function noteNoImagesHint(context: Context, kind: Kind, found: FoundRecords): Promise<void> {
  const values = found.describeValues();
  if (values === undefined) await noteEmptyResultHint(context, kind, found.search, { written: 0 });
  else context.note(values);
}

async function* readRecords(
  pages: AsyncIterable<readonly Json[]>,
  kind: Kind,
): AsyncGenerator<readonly CollectionRecord[]> {
  for await (const page of pages) yield page.map((record) => readRecord(record, kind));
}
