/** `opac images list`: lists images, one per row. */
import { assertKnownFields, type ImageColumn, parseImageColumn } from '../../../images/image-columns.js';
import { type ImageRow, listImageRows } from '../../../images/image-row.js';
import { formatCount } from '../../../service/format-numbers.js';
import type { Json } from '../../../service/json.js';
import { KINDS, type Kind } from '../../../service/kinds.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import type { OptionDescription } from '../../description/option.js';
import { type PagingInput, TEXT_ARGUMENT } from '../../options/search.js';
import { fetchFieldNames, fetchPublishedFields } from '../search/search-pages.js';
import { createImageSchema } from './row-schema.js';
import {
  createImageColumnResolver,
  type FoundRecords,
  findRecords,
  imageSearchOptions,
  noteNoImagesHint,
  parseImageSearch,
} from './search.js';

const DEFAULT_LIMIT = 20;

/** The field with the accession number, which people use to name a record (FIELD-NOTES.md "Answers"). */
export const NAMING_FIELD = 'accession_no';

export const NAME_FIELD_OPTION = {
  flags: '--name-field <column>',
  summary: 'column to use as the name of each record',
  defaultText: NAMING_FIELD,
  parse: parseImageColumn,
} as const satisfies OptionDescription;

export const listCommand = defineCommand({
  name: 'list',
  summary: 'list images, one per row',
  arguments: [TEXT_ARGUMENT],
  options: [...imageSearchOptions(DEFAULT_LIMIT), { group: 'Image names:', ...NAME_FIELD_OPTION }],
  examples: {
    [`list the first ${DEFAULT_LIMIT} images of objects`]: 'opac images list --mock',
    'list every image of a collection with the URLs of all sizes':
      'opac images list --mock --collection 3 --all -f csv',
    'list images of persons, with columns of your choice':
      'opac images list --mock --kind persons --columns recordId,title,LARGE.url,image@copyright',
  },
  endpoints: KINDS.map((kind) => `${kind}.search` as const),
  parse: (input) => ({
    search: parseImageSearch(input, DEFAULT_LIMIT),
    nameField: input.nameField,
  }),
  async run(context, { search, nameField }) {
    const found = await findRecords(context, search);
    const nameColumn = nameField
      ? await createImageColumnResolver(context, search.kind)(nameField)
      : parseImageColumn(NAMING_FIELD);
    const schema = createImageSchema(nameColumn);
    return {
      kind: 'items',
      pages: rowPages(
        nameField ? { ...found, pages: checkName(context, search.kind, found, nameColumn) } : found,
        search.paging,
        schema.item,
        context,
      ),
      schema,
      emptyMessage: 'no images match',
      printHint: async (written) =>
        written === 0 ? noteNoImagesHint(context, search.kind, found) : undefined,
      failure: found.failure,
      fields: () => fetchPublishedFields(context, search.kind),
    };
  },
});

/** Throws a UsageError if neither the views nor the first page with records have the field of `nameColumn`. */
async function* checkName(context: Context, kind: Kind, { pages }: FoundRecords, nameColumn: ImageColumn) {
  let isChecked = false;
  for await (const page of pages) {
    const seen = new Set(page.flatMap(({ fields }) => [...fields.keys()]));
    if (!isChecked && page.length > 0)
      await assertKnownFields([nameColumn], seen, () => fetchFieldNames(context, kind));
    isChecked ||= page.length > 0;
    yield page;
  }
}

/** Yields the rows from `offset` on, at most `limit`. Prints a note if more images exist. */
async function* rowPages(
  { pages, isWanted }: FoundRecords,
  { offset, limit = Number.POSITIVE_INFINITY }: PagingInput,
  item: (row: ImageRow) => Json,
  { note }: Context,
): AsyncGenerator<readonly Json[]> {
  let skip = offset;
  let left = limit;
  for await (const page of pages) {
    const found = page.flatMap((record) => listImageRows(record, isWanted));
    const rows = found.slice(skip);
    skip -= Math.min(skip, found.length);
    if (rows.length > 0) yield rows.slice(0, left).map(item);
    left -= rows.length;
    if (left < 0) {
      note(`showing ${formatCount(limit, 'image')}; use --all for all of them`);
      return;
    }
  }
}
