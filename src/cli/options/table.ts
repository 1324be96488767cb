/** How records stand in tables: the options that an export has and a list too. */
import { inGroup, type OptionDescription, type ValuesOf } from '../command/option.js';
import { OUTPUT } from './groups.js';

export const TABLE_OPTIONS = [
  ...inGroup(OUTPUT, [
    {
      flags: '--sql-names',
      summary: 'column names that a database takes: letters, digits and _ only, such as image_url',
    },
    {
      flags: '--plain-text',
      summary: 'HTML in values as text: no tags, entities decoded, line breaks for <br> and <p>',
    },
  ]),
] as const satisfies readonly OptionDescription[];

export type TableInput = ValuesOf<typeof TABLE_OPTIONS>;
