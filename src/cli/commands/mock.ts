/** `opac mock`: serves the built-in museum on a port, for other programs and other terminals. */
import { once } from 'node:events';
import { DEFECT_NAMES } from '../../mock/faults/defects.js';
import { FAULT_KINDS } from '../../mock/faults/fault.js';
import { QUIRK_NAMES } from '../../mock/faults/quirks.js';
import { BEYOND_WINDOW } from '../../mock/options.js';
import { UsageError } from '../../service/errors.js';
import { command } from '../command/command.js';
import type { OptionDescription } from '../command/option.js';
import { MOCK_PORT } from '../defaults.js';
import { choiceOption, flagOption, integerOption, numberOption, stringsOption } from '../options/read.js';

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
  {
    group: BEHAVIOUR,
    flags: '--window <n>',
    summary: 'give no records when offset + limit is above this, as some deployments do',
  },
  {
    group: BEHAVIOUR,
    flags: '--beyond-window <how>',
    summary: `what comes above the window: ${BEYOND_WINDOW.slice(0, 2).join(' or ')} (an error), empty, or repeat (the last page again) (default: 400)`,
    choices: BEYOND_WINDOW,
  },
  { group: BEHAVIOUR, flags: '--gzip', summary: 'compress responses with gzip' },
  {
    group: BEHAVIOUR,
    flags: '--numbers',
    summary: 'send ids and sizes as numbers, as some deployments do',
  },
  {
    group: BEHAVIOUR,
    flags: '--no-deprecated',
    summary: 'refuse paths and parameters that the interface calls deprecated',
  },
  {
    group: BEHAVIOUR,
    flags: '--token-uses <n>',
    summary: 'number of requests that an access token is valid for',
  },
  {
    group: BEHAVIOUR,
    flags: '--fault <kind,key=value,…>',
    summary: `fail some requests: status,status=503,every=7 or cut-body,first=2 or challenge,after=10,count=3; choose from ${FAULT_KINDS.filter((kind) => !DEFECT_NAMES.some((name) => name === kind)).join(', ')}; or break a promise of the interface: ${DEFECT_NAMES.join(', ')}`,
    repeatable: true,
  },
  {
    group: BEHAVIOUR,
    flags: '--quirk <name=value>',
    summary: `page incorrectly: repeats=5 or shuffles=true or endKey=empty; choose from ${QUIRK_NAMES.join(', ')}`,
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
        command: 'opac mock --records 100000 --fault status,status=503,every=7',
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
      const window = integerOption(options, 'window', 1);
      const beyondWindow = choiceOption(options, 'beyondWindow', BEYOND_WINDOW);
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
        ...(window !== undefined && { window }),
        ...(beyondWindow !== undefined && { beyondWindow }),
        ...(options.deprecated === false && { deprecated: false }),
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
        signal: context.signal,
      });
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

/** `status,status=503,every=7` as an object; a first word without `=` is the value of `firstKey`, if there is one. */
function keyValues(firstKey: string, spec: string): Record<string, unknown> {
  return Object.fromEntries(
    spec.split(',').map((part, index) => {
      const at = part.indexOf('=');
      if (at < 0 && index === 0 && firstKey !== '') return [firstKey, part];
      if (at < 1) throw new UsageError(`invalid setting "${part}" in "${spec}"`, 'write <key>=<value>');
      return [part.slice(0, at), scalar(part.slice(at + 1))];
    }),
  );
}

function scalar(value: string): unknown {
  if (/^\d+$/.test(value)) return Number(value);
  return value === 'true' || value === 'false' ? value === 'true' : value;
}
