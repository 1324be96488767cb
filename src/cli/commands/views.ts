/** `opac views`: which fields a deployment shows where. */
import { asList, asObject, asText, type Json } from '../../service/json.js';
import { RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { command } from '../command/command.js';
import { onePage } from '../command/result.js';
import type { Context } from '../context.js';
import { kindArgument, parseKind } from '../options/kind.js';
import { itemSchema } from '../output/item-schemas.js';
import { getNamed } from './items/known-names.js';
import { listItems } from './items/list-items.js';
import { rememberFields } from './items/seen-fields.js';
import { fieldsOfView } from './items/view-fields.js';

export const commands = [
  command({
    name: 'list',
    isDefault: true,
    summary: 'the views of a kind',
    arguments: [kindArgument(RECORD_KINDS)],
    examples: [
      { purpose: 'the views of objects', command: 'opac views list objects --mock' },
      { purpose: 'with all their fields', command: 'opac views list objects --mock -f json' },
    ],
    endpoints: RECORD_KINDS.map((kind) => `${kind}.views`),
    parse: ({ arguments: [kind] }) => parseKind(kind, RECORD_KINDS),
    run: async (context, kind) => {
      const views = viewsOf(context, kind);
      return { ...views, pages: remembering(context, kind, views.pages) };
    },
  }),
  command({
    name: 'get',
    summary: 'the fields of one view',
    arguments: [
      kindArgument(RECORD_KINDS),
      { name: 'viewName', summary: 'name of the view', required: true },
    ],
    examples: [
      {
        purpose: 'what the advanced search of persons asks for',
        command: 'opac views get persons advancedsearch --mock',
      },
      {
        purpose: 'the fields of a view, for --columns',
        command: 'opac views get objects label --mock -f ids',
      },
    ],
    endpoints: RECORD_KINDS.flatMap((kind) => [`${kind}.view`, `${kind}.advancedsearch`]),
    parse: ({ arguments: [kind, viewName = ''] }) => ({ kind: parseKind(kind, RECORD_KINDS), viewName }),
    async run(context, { kind, viewName }) {
      const view = await getNamed(
        await context.client(),
        viewName === 'advancedsearch' ? `${kind}.advancedsearch` : `${kind}.view`,
        viewName === 'advancedsearch' ? {} : { viewName },
        { what: `view of ${kind}`, name: viewName, known: () => viewNames(context, kind) },
        { signal: context.signal },
      );
      return {
        pages: remembering(context, kind, onePage([asObject(view)])),
        rows: (item) => asList(asObject(item).fields),
        schema: itemSchema('field'),
        nothing: `the view "${viewName}" has no fields`,
      };
    },
  }),
];

/** Keeps the fields of the views for the shell's completion. */
async function* remembering(context: Context, kind: RecordKind, pages: AsyncIterable<readonly Json[]>) {
  for await (const page of pages) {
    rememberFields(
      context,
      kind,
      page.flatMap(fieldsOfView).map(({ identifier }) => identifier),
    );
    yield page;
  }
}

function viewsOf(context: Context, kind: RecordKind) {
  return listItems(context, {
    endpointId: `${kind}.views`,
    item: 'view',
    nothing: `there are no views of ${kind}`,
  });
}

async function viewNames(context: Context, kind: RecordKind): Promise<string[]> {
  const names: string[] = [];
  const nameOf = (item: Json) => asText(asObject(item).viewName ?? asObject(item).name);
  for await (const page of viewsOf(context, kind).pages) names.push(...page.map(nameOf));
  return names;
}
