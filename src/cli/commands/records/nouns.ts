/** Declares the commands of each kind of record, such as `opac objects list`. */
import type { Kind } from '../../../service/kinds.js';
import type { CommandDescription } from '../../description/command.js';
import type { Examples } from '../../description/option.js';
import { createCountCommand } from './count.js';
import { createDiffCommand } from './diff.js';
import { createDuplicatesCommand } from './duplicates.js';
import { createExportCommand } from './export.js';
import { createFieldsCommand } from './fields.js';
import { createGetCommand } from './get.js';
import { createListCommand } from './list.js';
import { reportCommand } from './report.js';

function createRecordCommands(
  kind: Kind,
  example: Examples,
  ...getCommands: readonly CommandDescription[]
): readonly CommandDescription[] {
  return [
    createListCommand(kind, example),
    ...getCommands,
    createCountCommand(kind),
    createExportCommand(kind),
    createDiffCommand(kind),
    createFieldsCommand(kind),
    createDuplicatesCommand(kind),
    ...(kind === 'objects' ? [reportCommand] : []),
  ];
}

/** `records` does not have `get`, because the service can get a record by its id only if it knows the kind. */
export const RECORD_COMMANDS: Readonly<Record<Kind, readonly CommandDescription[]>> = {
  objects: createRecordCommands(
    'objects',
    {
      'list objects of one maker that have images, sorted by date':
        'opac objects list --mock --where maker_name="Rita Angus" --has-images --sort production_date',
    },
    createGetCommand('objects', { id: '20022', field: 'accession_no', value: '00345' }),
  ),
  persons: createRecordCommands(
    'persons',
    { 'list persons with images, sorted by name': 'opac persons list --mock --has-images --sort name' },
    createGetCommand('persons', { id: '5003', field: 'name', value: 'Blaschka, Leopold' }),
  ),
  venues: createRecordCommands(
    'venues',
    { 'list venues, sorted by name in descending order': 'opac venues list --mock --sort name:desc' },
    createGetCommand('venues', { id: '301', field: 'name', value: 'Canterbury Hall' }),
  ),
  records: createRecordCommands('records', {
    'list objects, persons and venues that have images': 'opac records list --mock --has-images --limit 5',
  }),
};
