/** `opac sync`: mirrors a deployment to a folder. */
import { RECORD_KINDS } from '../../service/kinds.js';
import { defineCommand } from '../description/command.js';
import { parseSync, SYNC_OPTIONS } from './sync/options.js';

export const commands = [
  defineCommand({
    name: 'sync',
    summary: 'mirror a deployment to a folder',
    arguments: [
      {
        name: 'folder',
        summary: 'folder of the mirror; created if missing',
        required: true,
        completes: 'file',
      },
    ],
    options: SYNC_OPTIONS,
    examples: {
      'create or update a mirror': 'opac sync mirror --mock',
      'run a command with the changes': `opac sync mirror --mock --keep 3 --on-change 'wc -l <"$1"'`,
    },
    endpoints: RECORD_KINDS.flatMap((kind) => [`${kind}.search`, `${kind}.get`] as const),
    output: 'summary',
    parse: parseSync,
    async run(context, input) {
      const { runSync } = await import('./sync/run-sync.js');
      return runSync(context, input);
    },
  }),
];
