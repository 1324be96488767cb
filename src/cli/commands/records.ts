/** `opac records`: records of every kind together. The service has no record by id without its kind. */
import { countRecords } from './records/count.js';
import { exportRecords } from './records/export.js';

import { fieldsOfRecords } from './records/fields.js';
import { listRecords } from './records/list.js';

export const commands = [
  listRecords('records', {
    purpose: 'of every kind, with images',
    command: 'opac records list --mock --has-images --limit 5',
  }),

  countRecords('records'),
  exportRecords('records'),
  fieldsOfRecords('records'),
];
