/** `opac colors`: lists the CSS colours that the service can assign to images. */
import { defineCommand } from '../../description/command.js';
import { listItems } from '../items/list-items.js';

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'list the CSS colours that the service can assign to images',
    examples: {
      'list the colours': 'opac colors list --mock',
      'list names and hexadecimal values': 'opac colors list --mock --columns colorName,hex -f csv',
    },
    endpoints: ['colors.list'],
    run: async (context) => listItems(context, { endpointId: 'colors.list', emptyMessage: 'no colours' }),
  }),
];
