/** The output of commands that create an HTML page. */
import { extname } from 'node:path';
import { UsageError } from '../../service/errors.js';
import type { OptionDescription } from '../description/option.js';
import { OUTPUT_HEADING } from './groups.js';

export const HTML_OUTPUT_OPTION = {
  group: OUTPUT_HEADING,
  flags: '-o, --output <file>',
  summary: 'HTML file, written when complete',
  defaultText: 'standard output, if it is not a terminal',
  completes: 'file',
} as const satisfies OptionDescription;

interface OutputSettings {
  readonly globalOptions: { readonly output: string | undefined; readonly dryRun: boolean };
  readonly terminal: { readonly isTerminal: boolean };
}

/**
 * Throws a UsageError if the output is a terminal or has the extension of another format. `page` is the name of the page in
 * messages, such as `report`.
 */
export function assertHtmlOutput({ globalOptions, terminal }: OutputSettings, page: string): void {
  const { output, dryRun } = globalOptions;
  const hint = `write it to a file with -o ${page.replace(/^.* /, '')}.html`;
  if (output === undefined && terminal.isTerminal && !dryRun)
    throw new UsageError(`a ${page} cannot be shown on a terminal`, hint);
  const uncompressed = (output ?? '').replace(/\.(?:gz|zst)$/i, '');
  if (!/^(\.html?|)$/i.test(extname(uncompressed)))
    throw new UsageError(`a ${page} can be written only as HTML`, hint);
}
