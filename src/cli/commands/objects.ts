/** `opac objects`. */
import { countRecords } from '../records/count.js';
import { exportRecords } from '../records/export.js';
import { fieldsOfRecords } from '../records/fields.js';
import { getRecords } from '../records/get.js';
import { listRecords } from '../records/list.js';

export const commands = [
  listRecords('objects', {
    purpose: 'with images, by a field',
    command: 'opac objects list --mock --has-images --sort accession_no --limit 5',
  }),
  getRecords('objects', '20022'),
  countRecords('objects'),
  exportRecords('objects'),
  fieldsOfRecords('objects'),
];
