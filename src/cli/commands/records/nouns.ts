/** The verbs of the nouns that are kinds of records. */
import type { Kind } from '../../../service/kinds.js';
import type { CommandDescription } from '../../command/command.js';
import type { Examples } from '../../command/option.js';
import { countRecords } from './count.js';
import { diffOfRecords } from './diff.js';
import { exportRecords } from './export.js';
import { fieldsOfRecords } from './fields.js';
import { getRecords } from './get.js';
import { listRecords } from './list.js';

function recordCommands(
  kind: Kind,
  example: Examples,
  get: readonly CommandDescription[] = [],
): readonly CommandDescription[] {
  return [
    listRecords(kind, example),
    ...get,
    countRecords(kind),
    exportRecords(kind),
    diffOfRecords(kind),
    fieldsOfRecords(kind),
  ];
}

/** The service has no record by id without its kind, so `records` has no `get`. */
export const RECORD_COMMANDS: Readonly<Record<Kind, readonly CommandDescription[]>> = {
  objects: recordCommands(
    'objects',
    {
      'list objects of one maker that have images, sorted by date':
        'opac objects list --mock --where maker_name="Rita Angus" --has-images --sort production_date',
    },
    [getRecords('objects', { id: '20022', field: 'accession_no', value: '00345' })],
  ),
  persons: recordCommands(
    'persons',
    { 'list those with images, by name': 'opac persons list --mock --has-images --sort name' },
    [getRecords('persons', { id: '5003', field: 'name', value: 'Blaschka, Leopold' })],
  ),
  venues: recordCommands(
    'venues',
    { 'list them by name in descending order': 'opac venues list --mock --sort name:desc' },
    [getRecords('venues', { id: '301', field: 'name', value: 'Canterbury Hall' })],
  ),
  records: recordCommands('records', {
    'list records of every kind with images': 'opac records list --mock --has-images --limit 5',
  }),
};
