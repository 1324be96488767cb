/** `opac completion`: lets the shell complete commands, options and their values. */
import { command } from '../command/command.js';
import { parseChoice } from '../options/read.js';
import { SCRIPTS, SHELLS } from './completion/scripts.js';

export const commands = [
  command({
    name: 'completion',
    summary: 'print the script that lets a shell complete commands, options, fields and profiles',
    arguments: [{ name: 'shell', summary: SHELLS.join(', '), required: true, choices: SHELLS }],
    examples: [
      { purpose: 'bash: source <(opac completion bash) in ~/.bashrc', command: 'opac completion bash' },
      { purpose: 'fish: into its folder of completions', command: 'opac completion fish -o opac.fish' },
    ],
    parse: ({ arguments: [shell = ''] }) => parseChoice(shell, SHELLS, 'shell that is known here'),
    run: async (_, shell) => ({ text: SCRIPTS[shell], json: { shell, script: SCRIPTS[shell] } }),
  }),
];
