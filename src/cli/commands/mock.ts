/** `opac mock`: serves the built-in museum on a port, for other programs and other terminals. */
import { once } from 'node:events';
import { FAULT_KINDS, parseFault } from '../../mock/faults/fault.js';
import { UsageError } from '../../service/errors.js';
import { command } from '../command/command.js';
import type { OptionDescription } from '../command/option.js';
import { MOCK_PORT } from '../defaults.js';
import { flagOption, integerOption, numberOption, stringsOption } from '../options/read.js';

const DATA = 'Data:';
const BEHAVIOUR = 'Behaviour:';

const HIGHEST_PORT = 65_535;

const OPTIONS: readonly OptionDescription[] = [
  {
    flags: '--port <n>',
    summary: 'port to listen on, on 127.0.0.1; 0 for any free port',
    default: MOCK_PORT,
  },
  {
    flags: '--allow-host <name>',
    summary: 'respond to requests for this host name too, besides localhost and addresses',
    repeatable: true,
  },
  {
    group: DATA,
    flags: '--data <files...>',
    summary:
      'serve records from files: one JSON record per line, an array, or list responses; .gz and .zst too',
    completes: 'file',
  },
  { group: DATA, flags: '--records <n>', summary: 'serve this number of generated objects, up to millions' },
  { group: BEHAVIOUR, flags: '--authorized', summary: 'require credentials: 401 without them' },
  { group: BEHAVIOUR, flags: '--latency <ms>', summary: 'milliseconds to wait before each response' },
  { group: BEHAVIOUR, flags: '--cap <n>', summary: 'maximum number of records in a page', default: 100 },
  { group: BEHAVIOUR, flags: '--gzip', summary: 'compress responses with gzip' },
  {
    group: BEHAVIOUR,
    flags: '--numbers',
    summary: 'send ids and sizes as numbers, as some deployments do',
  },
  {
    group: BEHAVIOUR,
    flags: '--token-uses <n>',
    summary: 'number of requests that an access token is valid for',
  },
  {
    group: BEHAVIOUR,
    flags: '--fault <name[=value]>',
    summary: `fail some requests: status=503,every=7 or cut-body,first=2 or challenge,after=10,count=3; page incorrectly: repeats=5 or window=100,beyond=empty; or break a promise of the interface: sort-ignored; choose from ${FAULT_KINDS.join(', ')}`,
    repeatable: true,
  },
];

export const commands = [
  command({
    name: 'mock',
    summary: 'serve the built-in museum, or your own files, on a port',
    options: OPTIONS,
    examples: [
      { purpose: 'serve the built-in museum until Ctrl-C', command: `opac mock --port ${MOCK_PORT}` },
      { purpose: 'serve your own records', command: 'opac mock --data objects.ndjson persons.ndjson.gz' },
      {
        purpose: 'serve many objects, and fail every seventh request',
        command: 'opac mock --records 100000 --fault status=503,every=7',
      },
    ],
    output: 'none',
    parse: ({ options, arguments: [surplus] }) => {
      if (surplus !== undefined)
        throw new UsageError(`unexpected argument "${surplus}"`, 'to serve files, use --data <files...>');
      const data = stringsOption(options, 'data');
      const records = integerOption(options, 'records', 1);
      if (data.length > 0 && records !== undefined)
        throw new UsageError('--data and --records cannot be used together');
      const latency = numberOption(options, 'latency');
      const cap = integerOption(options, 'cap', 1);
      const tokenUses = integerOption(options, 'tokenUses', 1);
      const numbers = flagOption(options, 'numbers');
      return {
        port: integerOption(options, 'port', 0, HIGHEST_PORT) ?? MOCK_PORT,
        allowHosts: stringsOption(options, 'allowHost'),
        ...(data.length > 0 && { data }),
        ...(records !== undefined && { records }),
        ...(flagOption(options, 'authorized') && { access: 'authorized' as const }),
        ...(latency !== undefined && { latency }),
        ...(cap !== undefined && { cap }),
        ...(flagOption(options, 'gzip') && { gzip: true }),
        ...(numbers && { idType: 'number' as const, sizeType: 'number' as const }),
        ...(tokenUses !== undefined && { oauth: { tokenUses } }),
        faults: stringsOption(options, 'fault').map(parseFault),
      };
    },
    async run(context, options) {
      const { startMuseum } = await import('../../mock/index.js');
      const museum = await startMuseum({ ...options, signal: context.signal });
      context.atEnd(() => museum.close());
      const { clientId, clientSecret, redirectURI } = museum.client;
      context.stdout.write(`museum on ${museum.url}\n`);
      context.note(`  objects:   opac objects list --base-url ${museum.url}`);
      context.note(`  login:     client id ${clientId}, secret ${clientSecret}, redirect ${redirectURI}`);
      context.note(`  basic key: ${museum.basicKey}`);
      context.note('press Ctrl-C to stop');
      if (!context.signal.aborted) await once(context.signal, 'abort');
      return undefined;
    },
  }),
];
