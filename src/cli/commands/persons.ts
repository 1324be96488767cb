/** `opac persons`. */
import { recordCommands } from './records/commands.js';
import { getRecords } from './records/get.js';

export const commands = recordCommands(
  'persons',
  { 'list those with images, by name': 'opac persons list --mock --has-images --sort name' },
  [getRecords('persons', { id: '5003', field: 'name', value: 'Blaschka, Leopold' })],
);
