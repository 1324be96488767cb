/** The options that an export has in addition to those of a search. */
import type { Part } from '../../export/collect/source/slices/slice-plan.js';
import { EXPORT_FORMATS } from '../../export/convert/formats.js';
import { UsageError } from '../../service/errors.js';
import { inGroup, type OptionDescription, type Parser, type ValuesOf } from '../description/option.js';
import { OUTPUT_HEADING } from './groups.js';
import { integer } from './parse.js';
import { NOT_FOUND_OPTION } from './search.js';
import { TABLE_OPTIONS } from './table.js';
import { WAIT_LOCK_OPTION } from './wait.js';

const FILE = 'Output file:';
const SLICES = 'Slices and parts:';
const VALUES = 'Fields with several values:';

const MAX_PARTS = 10_000;

/** Parses `3/8`, the third of eight parts. */
const parsePart: Parser<Part> = (text, where) => {
  const [, number = 0, of = 0] = /^(\d{1,6})\/(\d{1,6})$/.exec(text)?.map(Number) ?? [];
  if (number >= 1 && number <= of && of <= MAX_PARTS) return { number, of };
  throw new UsageError(
    `invalid value "${text}" for ${where}; must be like 3/8, from 1/8 to 8/8`,
    of > MAX_PARTS ? `an export has at most ${MAX_PARTS} parts` : undefined,
  );
};

export const EXPORT_OPTIONS = [
  ...inGroup(FILE, [
    {
      flags: '--resume',
      summary:
        'exit 6 if the partial file of an unfinished export was deleted (opac continues an unfinished export with or without this option)',
    },
    {
      flags: '--strict',
      summary:
        'compare all ids with the service at the end, and exit 6 in more cases; see: opac help exporting',
    },
    WAIT_LOCK_OPTION,
    NOT_FOUND_OPTION,
    {
      flags: '--split <n>',
      summary: 'start a new file after this many records: objects-001.csv, objects-002.csv, …',
      parse: integer(1),
    },
    {
      flags: '--excel',
      summary: 'write CSV for Excel: BOM, CRLF, and cells that Excel does not convert or run as formulas',
    },
  ]),
  ...inGroup(OUTPUT_HEADING, [
    {
      flags: '-f, --format <name>',
      summary: EXPORT_FORMATS.join(', '),
      defaultText: 'by file extension, otherwise csv',
      choices: EXPORT_FORMATS,
    },
    {
      flags: '-o, --output <file>',
      summary: 'write to this file when complete: objects.csv, objects.ndjson.gz; repeat for more formats',
      completes: 'file',
      repeatable: true,
    },
  ]),
  ...inGroup(SLICES, [
    {
      flags: '--window <n>',
      summary:
        'split the search into slices of at most n records (default: the limit of the service, detected automatically)',
      parse: integer(1),
    },
    { flags: '--plan', summary: 'print the slices without exporting' },
    {
      flags: '--part <i/n>',
      summary: 'export part i of n as NDJSON, for example one part per machine; join the parts with --from',
      parse: parsePart,
      conflicts: ['--split'],
    },
  ]),
  {
    group: VALUES,
    flags: '--multi <rule>',
    summary: 'how to write several values: join, join=<separator>, json, first or rows=<fields>',
    defaultText: 'join with |',
  },
  ...TABLE_OPTIONS,
] as const satisfies readonly OptionDescription[];

export type ExportInput = ValuesOf<typeof EXPORT_OPTIONS>;
