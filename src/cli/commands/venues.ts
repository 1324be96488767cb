/** `opac venues`: exhibition venues. */
import { countRecords } from './records/count.js';
import { exportRecords } from './records/export.js';
import { fieldsOfRecords } from './records/fields.js';
import { getRecords } from './records/get.js';
import { listRecords } from './records/list.js';

export const commands = [
  listRecords('venues', {
    purpose: 'by name, from the end of the alphabet',
    command: 'opac venues list --mock --sort name --direction desc',
  }),
  getRecords('venues', '301'),
  countRecords('venues'),
  exportRecords('venues'),
  fieldsOfRecords('venues'),
];
