/** The options of `opac sync`. */
import { UsageError } from '../../../service/errors.js';
import { RECORD_KINDS, type RecordKind } from '../../../service/kinds.js';
import type { Input, OptionDescription } from '../../command/option.js';
import { flagOption, integerOption, parseChoice, stringOption } from '../../options/read.js';
import { parseSearch, SEARCH_OPTIONS, type SearchInput } from '../../options/search.js';

const MIRROR = 'The mirror:';
const ENDINGS = ['ndjson.gz', 'ndjson.zst', 'ndjson'] as const;

export const SYNC_OPTIONS: readonly OptionDescription[] = [
  {
    group: MIRROR,
    flags: '--kinds <names>',
    summary: `kinds of records (default: those of ${RECORD_KINDS.join(', ')} that the deployment offers)`,
  },
  {
    group: MIRROR,
    flags: '--ending <name>',
    summary: `of the snapshots: ${ENDINGS.join(', ')} (default: ndjson.gz)`,
    choices: ENDINGS,
  },
  {
    group: MIRROR,
    flags: '--keep <n>',
    summary: 'old snapshots to keep of each kind, with their manifests (default: 0)',
  },
  {
    group: MIRROR,
    flags: '--newest-first <field>',
    summary: 'a field that every edit raises: list all ids, and read only newer records',
    completes: 'field',
  },
  {
    group: MIRROR,
    flags: '--full-every <n>',
    summary: 'with it, read everything every so many runs (default: 7)',
  },
  {
    group: MIRROR,
    flags: '--on-change <command>',
    summary: 'run a shell command for each file of changes ($1, $OPAC_CHANGES); again if it failed',
  },
  ...SEARCH_OPTIONS.filter(({ flags }) => !/--external-id|--query-file/.test(flags)),
];

export interface SyncInput {
  readonly folder: string;
  /** Undefined for all that there are. */
  readonly kinds: readonly RecordKind[] | undefined;
  readonly ending: string;
  readonly keep: number;
  readonly newestFirst: string | undefined;
  readonly fullEvery: number;
  readonly onChange: string | undefined;
  readonly search: SearchInput;
}

/** Throws a UsageError. */
export function parseSync(input: Input): SyncInput {
  const { arguments: words, options } = input;
  const [folder] = words;
  if (folder === undefined) throw new UsageError('missing required argument "folder"');
  if (
    flagOption(options, 'flat') ||
    ['format', 'output', 'columns'].some((name) => options[name] !== undefined)
  )
    throw new UsageError(
      'a mirror keeps whole records',
      'leave out --format, --output, --columns and --flat',
    );
  const newestFirst = stringOption(options, 'newestFirst');
  const fullEvery = integerOption(options, 'fullEvery', 1);
  if (fullEvery !== undefined && newestFirst === undefined)
    throw new UsageError('--full-every needs --newest-first', 'without it everything is read each time');
  const search = parseSearch({ arguments: [], options });
  if (newestFirst !== undefined && (search.terms.exact || search.valueFile))
    throw new UsageError(
      `--newest-first cannot be used with ${search.terms.exact ? '--exact' : 'a --where with @file'}`,
      'leave it out: everything that is found is read each time',
    );
  const kinds = stringOption(options, 'kinds')
    ?.split(',')
    .map((kind) => parseChoice(kind.trim(), RECORD_KINDS, `invalid kind "${kind}"`));
  return {
    folder,
    kinds: kinds && [...new Set(kinds)],
    ending: parseChoice(stringOption(options, 'ending') ?? ENDINGS[0], ENDINGS, 'invalid value for --ending'),
    keep: integerOption(options, 'keep') ?? 0,
    newestFirst,
    fullEvery: fullEvery ?? 7,
    onChange: stringOption(options, 'onChange'),
    search,
  };
}
