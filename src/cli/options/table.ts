/** How records stand in tables: the options that an export has and a list too. */
import type { Input, OptionDescription } from '../command/option.js';
import { OUTPUT } from './global.js';
import { flagOption } from './read.js';

export const TABLE_OPTIONS: readonly OptionDescription[] = [
  {
    group: OUTPUT,
    flags: '--sql-names',
    summary: 'heads that a database takes: image_url, letters, digits and _ alone',
  },
  {
    group: OUTPUT,
    flags: '--plain-text',
    summary: 'HTML in values as text: no tags, entities decoded, line breaks for <br> and <p>',
  },
];

export interface TableInput {
  readonly sqlNames: boolean;
  readonly plainText: boolean;
}

export function parseTable({ options }: Input): TableInput {
  return { sqlNames: flagOption(options, 'sqlNames'), plainText: flagOption(options, 'plainText') };
}
