/** `opac views`: lists views and their fields. */
import { asList, asObject, type Json } from '../../../service/json.js';
import { RECORD_KINDS, type RecordKind } from '../../../service/kinds.js';
import { defineCommand } from '../../description/command.js';
import { kindArgument } from '../../options/kind.js';
import { toItemsResult } from '../../output/item-schemas.js';
import { getNamed } from '../items/known-names.js';
import { fetchItemIds, type ItemList, listItems } from '../items/list-items.js';

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'list the views of a kind of record',
    arguments: [kindArgument(RECORD_KINDS)],
    examples: {
      'list the views of objects': 'opac views list objects --mock',
      'print the views with all their fields': 'opac views list objects --mock -f json',
    },
    endpoints: RECORD_KINDS.map((kind) => `${kind}.views` as const),
    run: async (context, { kind }) => listItems(context, createViewList(kind)),
  }),
  defineCommand({
    name: 'get',
    summary: 'list the fields of a view',
    arguments: [
      kindArgument(RECORD_KINDS),
      { name: 'viewName', summary: 'name of the view', required: true },
    ],
    examples: {
      'list the fields of the advanced search for persons': 'opac views get persons advancedsearch --mock',
      'list the field names of a view, for --columns': 'opac views get objects label --mock -f ids',
    },
    endpoints: RECORD_KINDS.flatMap((kind) => [`${kind}.view`, `${kind}.advancedsearch`] as const),
    async run(context, { kind, viewName }) {
      const isOwnEndpoint = viewName === 'advancedsearch';
      const view = await getNamed(context, {
        endpointId: isOwnEndpoint ? `${kind}.advancedsearch` : `${kind}.view`,
        path: isOwnEndpoint ? {} : { viewName },
        description: `view of ${kind}`,
        name: viewName,
        listKnownNames: () => fetchItemIds(context, createViewList(kind)),
      });
      const emptyMessage = `the view "${viewName}" has no fields`;
      return toItemsResult([view], 'field', { rows: listFieldRows, emptyMessage });
    },
  }),
];

/** Some views list their fields as names, not as objects. A view without fields, but with unknown keys, becomes one row. */
function listFieldRows(item: Json): readonly Json[] {
  const fields = asList(asObject(item).fields).map((field) =>
    typeof field === 'string' ? { identifier: field } : field,
  );
  const hasOnlyKnownKeys = Object.keys(asObject(item)).every((key) =>
    /^(viewName|name|identifier|label|fields)$/.test(key),
  );
  return fields.length === 0 && !hasOnlyKnownKeys ? [item] : fields;
}

function createViewList(kind: RecordKind): ItemList {
  return { endpointId: `${kind}.views`, emptyMessage: `no views of ${kind}` };
}
