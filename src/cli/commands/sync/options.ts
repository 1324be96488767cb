/** The options of `opac sync`. */
import { SNAPSHOT_EXTENSIONS } from '../../../mirror/sync-options.js';
import { UsageError } from '../../../service/errors.js';
import { RECORD_KINDS, type RecordKind } from '../../../service/kinds.js';
import { inGroup, type OptionDescription, type Parser, type ValuesOf } from '../../description/option.js';
import { integer, nonBlank, someOf } from '../../options/parse.js';
import { parseSearch, QUERY_OPTION, WHERE_OPTION } from '../../options/search.js';
import { WAIT_LOCK_OPTION } from '../../options/wait.js';

const MIRROR = 'Mirror:';
const DEFAULT_FULL_EVERY = 7;

/** Parses `modified`, or `modified:30` to read all records in every 30th run. */
const parseNewestFirst: Parser<{ readonly field: string; readonly fullEvery: number }> = (text, where) => {
  const at = text.lastIndexOf(':');
  if (at < 1) return { field: text, fullEvery: DEFAULT_FULL_EVERY };
  return { field: text.slice(0, at), fullEvery: integer(1)(text.slice(at + 1), where) };
};

const parseKinds: Parser<readonly RecordKind[]> = (text, where) => [
  ...new Set(someOf(RECORD_KINDS)(text, where)),
];

export const SYNC_OPTIONS = [
  ...inGroup(MIRROR, [
    {
      flags: '--kinds <names>',
      once: true,
      summary: 'kinds of records',
      defaultText: `${RECORD_KINDS.join(', ')}, if the deployment offers them`,
      parse: parseKinds,
    },
    {
      flags: '--ending <name>',
      summary: `file extension of the snapshots: ${SNAPSHOT_EXTENSIONS.join(', ')}`,
      choices: SNAPSHOT_EXTENSIONS,
      defaultText: `that of the mirror, or ${SNAPSHOT_EXTENSIONS[0]}`,
    },
    {
      flags: '--keep <n>',
      summary: 'number of old snapshots to keep for each kind',
      default: 0,
      parse: integer(),
    },
    {
      flags: '--newest-first <field>',
      summary: `field with the time of the last edit; a run reads only the pages with the newest edits; every ${DEFAULT_FULL_EVERY}th run reads all records (with <field>:30, every 30th run)`,
      parse: parseNewestFirst,
    },
    {
      flags: '--on-change <command>',
      summary:
        'run a shell command if records changed; $1 and $OPAC_CHANGES contain the path of the change log; the next run retries a failed command',
      parse: nonBlank,
    },
    {
      flags: '--report <file>',
      summary: 'write the changes of this run: changes.html, .md, .xlsx or another format of opac diff',
      completes: 'file',
      parse: nonBlank,
    },
    {
      flags: '--strict',
      summary:
        'exit 6 and leave the mirror unchanged if records are incomplete or damaged, if values of a list were not found, or if more than half of the records are gone',
    },
    WAIT_LOCK_OPTION,
  ]),
  WHERE_OPTION,
  QUERY_OPTION,
] as const satisfies readonly OptionDescription[];

export type SyncInput = ReturnType<typeof parseSync>;

/** Throws a UsageError for options that cannot be used together. */
export function parseSync(input: ValuesOf<typeof SYNC_OPTIONS> & { readonly folder: string }) {
  const { folder, kinds, ending, keep, newestFirst, onChange, report, waitLock, strict } = input;
  const search = parseSearch(input);
  if (newestFirst !== undefined && search.valueFile)
    throw new UsageError(
      '--newest-first cannot be used with --where <field>=@<file>',
      'remove --newest-first; each run then reads all matching records',
    );
  const { field, fullEvery = DEFAULT_FULL_EVERY } = newestFirst ?? {};
  const rules = { keep, newestFirst: field, fullEvery, waitLock, strict };
  return { folder, kinds, ending, onChange, report, search, ...rules };
}
