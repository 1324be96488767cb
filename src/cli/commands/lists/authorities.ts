/** `opac authorities`: lists the authority terms of a field. */
import { defineCommand } from '../../description/command.js';
import { kindArgument } from '../../options/kind.js';
import { limitOptions, resolveLimit } from '../../options/limit.js';
import { listNamed } from '../items/known-names.js';
import { fetchViewFields } from '../items/view-fields.js';

const KINDS = ['persons', 'venues', 'objects'] as const;
const DEFAULT_LIMIT = 100;

/** The endpoint of objects returns the terms of the default collection (INTERFACE.md "Authority terms"). */
const ENDPOINTS = {
  persons: 'persons.authorities',
  venues: 'venues.authorities',
  objects: 'collections.authorities',
} as const;

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'list the authority terms of a field',
    arguments: [kindArgument(KINDS), { name: 'field', summary: 'name of the field', required: true }],
    options: limitOptions(DEFAULT_LIMIT),
    examples: {
      'list places of birth of persons': 'opac authorities list persons birth_place --mock',
      'list classifications of objects in the default collection':
        'opac authorities list objects classification --mock',
    },
    endpoints: Object.values(ENDPOINTS),
    run: async (context, { kind, field, ...limitInput }) =>
      listNamed(
        context,
        {
          endpointId: ENDPOINTS[kind],
          path: { authorityFieldName: field },
          limit: resolveLimit(limitInput, DEFAULT_LIMIT),
          emptyMessage: `no authority terms for field "${field}"`,
        },
        {
          description: `authority field of ${kind}`,
          name: field,
          listKnownNames: async () => (await fetchViewFields(context, kind)).map((each) => each.identifier),
        },
      ),
  }),
];
