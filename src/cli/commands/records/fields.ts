/** `opac <kind> fields`: the fields that a deployment publishes, from its views and a sample of records. */
import { OpacError } from '../../../service/errors.js';
import { asNumber, asObject, asText } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { type FieldUse, fieldCensus, type PublishedField } from '../../../service/records/field-census.js';
import { command } from '../../command/command.js';
import type { ItemColumn, ItemSchema } from '../../command/item-schema.js';
import { onePage } from '../../command/result.js';
import type { Context } from '../../context.js';
import { integerOption } from '../../options/read.js';
import { parseSearch, SEARCH_OPTIONS, TEXT_ARGUMENT } from '../../options/search.js';
import { itemSchema } from '../../output/item-schemas.js';
import { count, percent } from '../../output/terminal/numbers.js';
import { rememberFields } from '../items/seen-fields.js';
import { viewFields } from '../items/view-fields.js';
import { resolveSearch } from '../search/resolve.js';
import { sampleOf, sampleSize } from '../search/sample.js';

/** Ten requests. */
const DEFAULT_SAMPLE = 200;

const SAMPLE_OPTION = {
  group: 'How many:',
  flags: '--sample <n>',
  summary: 'number of records to sample across the result',
  default: DEFAULT_SAMPLE,
};

export const fieldsOfRecords = (kind: Kind) =>
  command({
    name: 'fields',
    summary: `list the fields of ${kind}, how often they are filled, and an example`,
    arguments: [TEXT_ARGUMENT],
    options: [...SEARCH_OPTIONS, SAMPLE_OPTION],
    examples: [
      { purpose: `list the fields of ${kind}`, command: `opac ${kind} fields --mock` },
      {
        purpose: 'save their names to a file, for --columns @columns.txt',
        command: `opac ${kind} fields --mock -f ids -o columns.txt`,
      },
    ],
    endpoints: [`${kind}.search`, ...(kind === 'records' ? [] : [`${kind}.views`])],
    parse: (input) => ({
      search: parseSearch(input),
      size: integerOption(input.options, 'sample', 1) ?? DEFAULT_SAMPLE,
    }),
    async run(context, { search, size }) {
      const [published, sample] = await Promise.all([
        fieldsIfTold(context, kind),
        sampleOf(context, kind, await resolveSearch(search, context, kind), size),
      ]);
      const names = sample.records.flatMap(({ fields }) => [...fields.keys()]);
      rememberFields(context, kind, names);
      if (!context.settings.dryRun) context.note(`sampled ${sampleSize(sample, kind, count)}`);
      return {
        kind: 'items',
        pages: onePage(fieldCensus(sample.records, published).map(row)),
        schema: SCHEMA,
        emptyMessage: `no ${kind} match, and no view has fields of ${kind}`,
      };
    },
  });

async function fieldsIfTold(context: Context, kind: Kind): Promise<readonly PublishedField[]> {
  try {
    return await viewFields(context, kind);
  } catch (error) {
    if (!(error instanceof OpacError) || error.kind === 'interrupted') throw error;
    context.detail(`cannot read the views of ${kind}: ${error.message}`);
    return [];
  }
}

const row = (use: FieldUse) => ({ ...use });

const SCHEMA: ItemSchema = {
  ...itemSchema('fieldUse'),
  familiarColumns: () => FOR_PEOPLE,
};

const text = (name: keyof FieldUse): ItemColumn => ({
  name,
  values: (item) => {
    const value = asObject(item)[name];
    return Array.isArray(value) ? value.map(asText) : [asText(value)];
  },
});

const FOR_PEOPLE: readonly ItemColumn[] = [
  { ...text('column'), whole: true },
  {
    name: 'filled',
    align: 'right',
    values: (item) => {
      const { filled, percent: share } = asObject(item);
      return [`${count(asNumber(filled) ?? 0)} (${percent(asNumber(share) ?? 0)})`];
    },
  },
  { ...text('most'), align: 'right' },
  text('example'),
  text('label'),
  text('attributes'),
  text('views'),
];
