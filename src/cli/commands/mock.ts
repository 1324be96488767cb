/** `opac mock`: the built-in museum on a port of its own, for other programs and other terminals. */
import { once } from 'node:events';
import { FAULT_KINDS } from '../../mock/faults/fault-check.js';
import { UsageError } from '../../service/errors.js';
import { command } from '../command/command.js';
import type { OptionDescription } from '../command/option.js';
import { MOCK_PORT } from '../defaults.js';
import { flagOption, integerOption, numberOption, stringsOption } from '../options/read.js';

const HOLDINGS = 'What it holds:';
const BEHAVIOUR = 'How it behaves:';

const HIGHEST_PORT = 65_535;

const OPTIONS: readonly OptionDescription[] = [
  {
    flags: '--port <n>',
    summary: `port to listen on, on this machine alone; default: ${MOCK_PORT}; 0: any free one`,
  },
  {
    group: HOLDINGS,
    flags: '--data <files...>',
    summary: 'records from files: JSON, one a line, or list answers; .gz too',
    completes: 'file',
  },
  { group: HOLDINGS, flags: '--records <n>', summary: 'that many generated objects, up to millions' },
  { group: BEHAVIOUR, flags: '--authorized', summary: 'ask for credentials: 401 without them' },
  { group: BEHAVIOUR, flags: '--latency <ms>', summary: 'milliseconds before each answer' },
  { group: BEHAVIOUR, flags: '--cap <n>', summary: 'records in a page at most; default: 100' },
  {
    group: BEHAVIOUR,
    flags: '--window <n>',
    summary: 'refuse offset + limit above this, as some deployments do',
  },
  { group: BEHAVIOUR, flags: '--gzip', summary: 'compress answers' },
  {
    group: BEHAVIOUR,
    flags: '--numbers',
    summary: 'ids and sizes as numbers, as some deployments send them',
  },
  { group: BEHAVIOUR, flags: '--token-uses <n>', summary: 'requests an access token is good for' },
  {
    group: BEHAVIOUR,
    flags: '--fault <kind,key=value,…>',
    summary: `misbehave: status,status=503,every=7 or cut-body,first=2 or challenge,after=10,count=3; there is ${FAULT_KINDS.join(', ')}`,
    repeatable: true,
  },
  {
    group: BEHAVIOUR,
    flags: '--quirk <name=value>',
    summary:
      'page oddly: ignoresOffset=true, repeats=5, endsEarlyAt=300, overfills=3, underfills=3, shuffles=true, endKey=empty',
    repeatable: true,
  },
];

export const commands = [
  command({
    name: 'mock',
    summary: 'serve the built-in museum, or your own files, on a port',
    options: OPTIONS,
    examples: [
      { purpose: 'the built-in museum, until Ctrl-C', command: `opac mock --port ${MOCK_PORT}` },
      { purpose: 'your own records', command: 'opac mock --data objects.ndjson persons.ndjson.gz' },
      {
        purpose: 'a big and busy one',
        command: 'opac mock --records 100000 --fault status,status=503,every=7',
      },
    ],
    parse: ({ options, arguments: [surplus] }) => {
      if (surplus !== undefined)
        throw new UsageError(`mock takes no argument "${surplus}"`, 'for files: --data <files...>');
      const data = stringsOption(options, 'data');
      const records = integerOption(options, 'records', 1);
      if (data.length > 0 && records !== undefined)
        throw new UsageError('--data and --records contradict each other');
      const latency = numberOption(options, 'latency');
      const cap = integerOption(options, 'cap', 1);
      const window = integerOption(options, 'window', 1);
      const tokenUses = integerOption(options, 'tokenUses', 1);
      const numbers = flagOption(options, 'numbers');
      return {
        port: integerOption(options, 'port', 0, HIGHEST_PORT) ?? MOCK_PORT,
        ...(data.length > 0 && { data }),
        ...(records !== undefined && { records }),
        ...(flagOption(options, 'authorized') && { access: 'authorized' as const }),
        ...(latency !== undefined && { latency }),
        ...(cap !== undefined && { cap }),
        ...(window !== undefined && { window }),
        ...(flagOption(options, 'gzip') && { gzip: true }),
        ...(numbers && { idType: 'number' as const, sizeType: 'number' as const }),
        ...(tokenUses !== undefined && { oauth: { tokenUses } }),
        faults: stringsOption(options, 'fault').map((spec) => keyValues('kind', spec)),
        quirks: Object.fromEntries(
          stringsOption(options, 'quirk').flatMap((spec) => Object.entries(keyValues('', spec))),
        ),
      };
    },
    async run(context, { faults, quirks, ...options }) {
      const { checkFault, checkQuirks, startMuseum } = await import('../../mock/index.js');
      const museum = await startMuseum({
        ...options,
        faults: faults.map(checkFault),
        quirks: checkQuirks(quirks),
      });
      context.atEnd(() => museum.close());
      const { clientId, clientSecret, redirectURI } = museum.client;
      context.stdout.write(`museum on ${museum.url}\n`);
      context.note(`  objects:   opac objects list --base-url ${museum.url}`);
      context.note(`  login:     client id ${clientId}, secret ${clientSecret}, redirect ${redirectURI}`);
      context.note(`  basic key: ${museum.basicKey}`);
      context.note('Ctrl-C ends it');
      if (!context.signal.aborted) await once(context.signal, 'abort');
      return undefined;
    },
  }),
];

/** `status,status=503,every=7` as an object; the first word without `=` goes under `first`. Numbers and booleans are read. */
function keyValues(first: string, spec: string): Record<string, unknown> {
  return Object.fromEntries(
    spec.split(',').map((part, index) => {
      const at = part.indexOf('=');
      if (at < 0 && index === 0 && first !== '') return [first, part];
      if (at < 1) throw new UsageError(`"${part}" in "${spec}" is not <key>=<value>`);
      return [part.slice(0, at), scalar(part.slice(at + 1))];
    }),
  );
}

function scalar(value: string): unknown {
  if (/^\d+$/.test(value)) return Number(value);
  return value === 'true' || value === 'false' ? value === 'true' : value;
}
