/** `opac authorities`: the terms that a field may hold. */
import { CATALOGUE } from '../../service/catalogue.js';
import { command } from '../command/command.js';
import { kindArgument, parseKind } from '../options/kind.js';
import { limitOptions, parseLimit } from '../options/limit.js';
import { listNamed } from './items/list-named.js';
import { fieldsOfViews } from './items/view-fields.js';

const KINDS = ['persons', 'venues', 'objects'] as const;
const DEFAULT_LIMIT = 100;

/** Objects have the terms of the default collection (INTERFACE.md "Authority terms"). */
const ENDPOINTS = {
  persons: 'persons.authorities',
  venues: 'venues.authorities',
  objects: 'collections.authorities',
};

export const commands = [
  command({
    name: 'list',
    isDefault: true,
    summary: 'the authority terms of a field',
    arguments: [kindArgument(KINDS), { name: 'field', summary: 'identifier of the field', required: true }],
    options: limitOptions(DEFAULT_LIMIT),
    examples: [
      { purpose: 'where persons were born', command: 'opac authorities list persons birth_place --mock' },
      {
        purpose: 'how the objects of the default collection are classified',
        command: 'opac authorities list objects classification --mock',
      },
    ],
    endpoints: CATALOGUE.map(({ id }) => id).filter((id) => id.endsWith('.authorities')),
    parse: (input) => {
      const [kind, field = ''] = input.arguments;
      return { kind: parseKind(kind, KINDS), field, limit: parseLimit(input, DEFAULT_LIMIT) };
    },
    run: async (context, { kind, field, limit }) =>
      listNamed(
        context,
        {
          endpointId: ENDPOINTS[kind],
          item: 'term',
          path: { authorityFieldName: field },
          limit,
          nothing: `the field "${field}" has no terms`,
        },
        { what: `authority field of ${kind}`, name: field, known: () => fieldsOfViews(context, kind) },
      ),
  }),
];
