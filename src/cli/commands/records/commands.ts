/** The verbs of the nouns that are kinds of records. */

import type { Kind } from '../../../service/kinds.js';
import type { CommandDescription } from '../../command/command.js';
import type { Examples } from '../../command/option.js';
import { countRecords } from './count.js';
import { diffOfRecords } from './diff.js';
import { exportRecords } from './export.js';
import { fieldsOfRecords } from './fields.js';
import { listRecords } from './list.js';

export function recordCommands(
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
