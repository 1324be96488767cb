/** The table options of exports and lists. */
import { inGroup, type OptionDescription, type ValuesOf } from '../description/option.js';
import { OUTPUT_HEADING } from './groups.js';

export const TABLE_OPTIONS = inGroup(OUTPUT_HEADING, [
  {
    flags: '--sql-names',
    summary:
      'use column names that databases accept: only lower-case letters, digits and _, such as image_url',
  },
  {
    flags: '--plain-text',
    summary:
      'convert HTML in values to plain text: remove tags, decode entities, turn <br> and <p> into line breaks',
  },
] as const satisfies readonly OptionDescription[]);

export type TableInput = ValuesOf<typeof TABLE_OPTIONS>;
