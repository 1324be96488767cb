/** `opac objects`. */
import { recordCommands } from './records/commands.js';
import { getRecords } from './records/get.js';

export const commands = recordCommands(
  'objects',
  {
    'list those of a maker that have images, by date':
      'opac objects list --mock --where maker_name="Rita Angus" --has-images --sort production_date',
  },
  [getRecords('objects', { id: '20022', field: 'accession_no', value: '00345' })],
);
