/** `opac venues`: exhibition venues. */
import { recordCommands } from './records/commands.js';
import { getRecords } from './records/get.js';

export const commands = recordCommands(
  'venues',
  { 'list them by name in descending order': 'opac venues list --mock --sort name:desc' },
  [getRecords('venues', { id: '301', field: 'name', value: 'Canterbury Hall' })],
);
