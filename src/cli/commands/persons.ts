/** `opac persons`. */
import { countRecords } from './records/count.js';
import { exportRecords } from './records/export.js';
import { fieldsOfRecords } from './records/fields.js';
import { getRecords } from './records/get.js';
import { listRecords } from './records/list.js';

export const commands = [
  listRecords('persons', {
    purpose: 'with images, by name',
    command: 'opac persons list --mock --has-images --sort name',
  }),
  getRecords('persons', '5003'),
  countRecords('persons'),
  exportRecords('persons'),
  fieldsOfRecords('persons'),
];
