/** The images of the records that a search finds: what `list`, `download` and `sheet` all begin with. */
import type { OpacError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import { type CollectionRecord, readRecord } from '../../../service/records/record.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import type { Context } from '../../context.js';
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
import { withReasons } from '../search/known-fields.js';
import { resolveSearch } from '../search/resolve-search.js';
import { findFailure, searchPages } from '../search/search-pages.js';

const KIND_OPTION = {
  group: SEARCH,
  flags: '--kind <kind>',
  summary: `kind of record: ${KINDS.join(', ')}`,
  default: 'objects',
  choices: KINDS,
} as const satisfies OptionDescription;

/** The options of a search of images; `limit` is the default of `--limit`, undefined for every image. */
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
  readonly kind: Kind;
  readonly search: RecordSearch;
  readonly pages: AsyncIterable<readonly CollectionRecord[]>;
  /** Why the records are not all of them; looked at when the pages are through. */
  readonly failure: () => OpacError | undefined;
}

/** Kinds whose search takes `hasImages` (INTERFACE.md "Person records"; observed on objects). */
const TAKES_HAS_IMAGES: ReadonlySet<Kind> = new Set<Kind>(['objects', 'persons']);

export async function findRecords(
  context: Context,
  { kind, search: input, paging }: ImageSearch,
): Promise<FoundRecords> {
  const search = {
    ...(await resolveSearch(input, context, kind)),
    ...(TAKES_HAS_IMAGES.has(kind) && { hasImages: true }),
  };
  const found = await searchPages(context, kind, search, { ...paging, offset: 0, limit: undefined });
  const pages = withReasons(found.pages, context, kind, search);
  return { kind, search, pages: asRecords(pages, kind), failure: () => findFailure(found, context) };
}

async function* asRecords(
  pages: AsyncIterable<readonly Json[]>,
  kind: Kind,
): AsyncGenerator<readonly CollectionRecord[]> {
  for await (const page of pages) yield page.map((record) => readRecord(record, kind));
}
