/** `opac objects`. */
import { countRecords } from './records/count.js';
import { exportRecords } from './records/export.js';
import { fieldsOfRecords } from './records/fields.js';
import { getRecords } from './records/get.js';
import { listRecords } from './records/list.js';

export const commands = [
  listRecords('objects', {
    purpose: 'all of a maker that have images, by date',
    command: 'opac objects list --mock --where maker_name="Rita Angus" --has-images --sort production_date',
  }),
  getRecords('objects', '20022'),
  countRecords('objects'),
  exportRecords('objects'),
  fieldsOfRecords('objects'),
];
