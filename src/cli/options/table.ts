/** The table options of exports and lists. */
import { inGroup, type OptionDescription, type ValuesOf } from '../description/option.js';
import { OUTPUT_HEADING } from './groups.js';

export const TABLE_OPTIONS = inGroup(OUTPUT_HEADING, [
  {
    flags: '--labels',
    summary:
      'use labels as headers, such as "Date made" (default for xlsx and cards; --no-labels for field names)',
    conflicts: ['--sql-names'],
  },
  { flags: '--no-labels', summary: 'use field names as headers', hidden: true },
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
  {
    flags: '--single-line',
    summary: 'CSV and TSV: replace each tab and line break in a cell with a space, so that a row is one line',
  },
] as const satisfies readonly OptionDescription[]);

export interface TableInput extends Omit<ValuesOf<typeof TABLE_OPTIONS>, 'labels'> {
  /** Undefined: the format decides. */
  readonly labels?: boolean | undefined;
}
