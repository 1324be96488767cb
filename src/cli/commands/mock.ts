/** `opac mock`: serves the built-in museum on a port, for other programs and other terminals. */
import { once } from 'node:events';
import { DEFECT_NAMES } from '../../mock/faults/defects.js';
import { FAULT_KINDS } from '../../mock/faults/fault.js';
import { QUIRK_NAMES } from '../../mock/faults/quirks.js';
import { BEYOND_WINDOW } from '../../mock/options.js';
import { UsageError } from '../../service/errors.js';
import { command } from '../command/command.js';
import { inGroup, type OptionDescription, type Parser } from '../command/option.js';
import { MOCK_PORT } from '../defaults.js';
import { duration, integer } from '../options/parse.js';

const DATA = 'Data:';
const BEHAVIOUR = 'Behaviour:';

const HIGHEST_PORT = 65_535;

const OPTIONS = [
  {
    flags: '--port <n>',
    summary: 'port to listen on, on 127.0.0.1; 0 for any free port',
    default: MOCK_PORT,
    parse: integer(0, HIGHEST_PORT),
  },
  {
    flags: '--allow-host <name>',
    summary: 'respond to requests for this host name too, besides localhost and addresses',
    repeatable: true,
  },
  ...inGroup(DATA, [
    {
      flags: '--data <files...>',
      summary:
        'serve records from files: one JSON record per line, an array, or list responses; .gz and .zst too',
      completes: 'file',
      repeatable: true,
      conflicts: ['--records'],
    },
    {
      flags: '--records <n>',
      summary: 'serve this number of generated objects, up to millions',
      parse: integer(1),
    },
  ]),
  ...inGroup(BEHAVIOUR, [
    { flags: '--authorized', summary: 'require credentials: 401 without them' },
    {
      flags: '--latency <duration>',
      summary: 'how long to wait before each response: 200ms, 2s',
      parse: duration,
    },
    {
      flags: '--cap <n>',
      summary: 'maximum number of records in a page',
      defaultText: 100,
      parse: integer(1),
    },
    {
      flags: '--result-window <n>',
      summary: 'give no records when offset + limit is above this, as some deployments do',
      parse: integer(1),
    },
    {
      flags: '--beyond-window <how>',
      summary: `what comes above the window: ${BEYOND_WINDOW.slice(0, 2).join(' or ')} (an error), empty, or repeat (the last page again) (default: 400)`,
      choices: BEYOND_WINDOW,
    },
    { flags: '--gzip', summary: 'compress responses with gzip' },
    { flags: '--numbers', summary: 'send ids and sizes as numbers, as some deployments do' },
    { flags: '--no-deprecated', summary: 'refuse paths and parameters that the interface calls deprecated' },
    {
      flags: '--token-uses <n>',
      summary: 'number of requests that an access token is valid for',
      parse: integer(1),
    },
    {
      flags: '--fault <kind,key=value,…>',
      summary: `fail some requests: status,status=503,every=7 or cut-body,first=2 or challenge,after=10,count=3; choose from ${FAULT_KINDS.filter((kind) => !DEFECT_NAMES.some((name) => name === kind)).join(', ')}; or break a promise of the interface: ${DEFECT_NAMES.join(', ')}`,
      repeatable: true,
      parse: keyValues('kind'),
    },
    {
      flags: '--quirk <name=value>',
      summary: `page incorrectly: repeats=5 or shuffles=true or endKey=empty; choose from ${QUIRK_NAMES.join(', ')}`,
      repeatable: true,
      parse: keyValues(''),
    },
  ]),
] as const satisfies readonly OptionDescription[];

export const commands = [
  command({
    name: 'mock',
    summary: 'serve the built-in museum, or your own files, on a port',
    options: OPTIONS,
    examples: {
      'serve the built-in museum until Ctrl-C': `opac mock --port ${MOCK_PORT}`,
      'serve your own records': 'opac mock --data objects.ndjson persons.ndjson.gz',
      'serve many objects, and fail every seventh request':
        'opac mock --records 100000 --fault status,status=503,every=7',
    },
    output: 'nothing',
    parse: ({ port, allowHost, data, records, latency, cap, resultWindow, beyondWindow, ...input }) => ({
      port,
      allowHosts: allowHost,
      ...(data.length > 0 && { data }),
      ...(records !== undefined && { records }),
      ...(input.authorized && { access: 'authorized' as const }),
      ...(latency !== undefined && { latency }),
      ...(cap !== undefined && { cap }),
      ...(resultWindow !== undefined && { window: resultWindow }),
      ...(beyondWindow !== undefined && { beyondWindow }),
      ...(!input.deprecated && { deprecated: false }),
      ...(input.gzip && { gzip: true }),
      ...(input.numbers && { idType: 'number' as const, sizeType: 'number' as const }),
      ...(input.tokenUses !== undefined && { oauth: { tokenUses: input.tokenUses } }),
      faults: input.fault,
      quirks: Object.assign({}, ...input.quirk) as Record<string, unknown>,
    }),
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
function keyValues(firstKey: string): Parser<Record<string, unknown>> {
  return (spec) =>
    Object.fromEntries(
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
