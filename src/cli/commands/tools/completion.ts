/** `opac completion`: prints a shell completion script. */
import { defineCommand } from '../../description/command.js';
import { SCRIPTS, SHELLS } from './completion-scripts.js';

export const commands = [
  defineCommand({
    name: 'completion',
    summary: 'print a script that completes commands, options, columns and profiles',
    arguments: [{ name: 'shell', summary: SHELLS.join(', '), required: true, choices: SHELLS }],
    examples: {
      'bash: add source <(opac completion bash) to ~/.bashrc': 'opac completion bash',
      'fish: save the script in ~/.config/fish/completions': 'opac completion fish -o opac.fish',
    },
    output: 'value',
    run: async (_, { shell }) => ({
      kind: 'value',
      text: SCRIPTS[shell],
      json: { shell, script: SCRIPTS[shell] },
    }),
  }),
];
