/** `opac mock`: serves the built-in museum on a port. */
import { once } from 'node:events';
import { FAULT_FORMS, type Fault, parseFault } from '../../../mock/faults/fault.js';
import { DEFAULT_MOCK_PORT } from '../../defaults.js';
import { defineCommand } from '../../description/command.js';
import { inGroup, type OptionDescription } from '../../description/option.js';
import { duration, integer } from '../../options/parse.js';

const MAX_PORT = 65_535;

const OPTIONS = [
  {
    flags: '--port <n>',
    summary: 'port on 127.0.0.1; 0 for any free port',
    default: DEFAULT_MOCK_PORT,
    parse: integer(0, MAX_PORT),
  },
  {
    flags: '--allow-host <name>',
    summary: 'also accept requests for this host name (default: only localhost and IP addresses); repeatable',
    repeatable: true,
  },
  ...inGroup('Data:', [
    {
      flags: '--data <files...>',
      summary: 'serve records from files: NDJSON, JSON arrays or list responses, also compressed (.gz, .zst)',
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
  ...inGroup('Behaviour:', [
    { flags: '--authorized', summary: 'require credentials; respond 401 without them' },
    {
      flags: '--latency <duration>',
      summary: 'delay before each response, such as 200ms or 2s',
      parse: duration,
    },
    {
      flags: '--cap <n>',
      summary: 'maximum number of records in a page',
      defaultText: 100,
      parse: integer(1),
    },
    { flags: '--gzip', summary: 'compress responses with gzip' },
    { flags: '--numbers', summary: 'send ids and image sizes as numbers, as some deployments do' },
    {
      flags: '--token-uses <n>',
      summary: 'number of requests for which an access token is valid',
      parse: integer(1),
    },
    {
      flags: '--fault <name=value>',
      summary: `simulate a fault, for example status=503,every=7 or cut-body,first=2 or challenge,after=10,count=3 or window=100,beyond=empty or sort-ignored; choose from ${FAULT_FORMS.join(', ')}`,
      repeatable: true,
      parse: (text): Fault => parseFault(text),
    },
  ]),
] as const satisfies readonly OptionDescription[];

export const commands = [
  defineCommand({
    name: 'mock',
    summary: 'serve the built-in museum, or your own files, on a port',
    options: OPTIONS,
    examples: {
      'serve the built-in museum until Ctrl-C': `opac mock --port ${DEFAULT_MOCK_PORT}`,
      'serve your own records': 'opac mock --data objects.ndjson persons.ndjson.gz',
      'serve many objects, and fail every seventh request':
        'opac mock --records 100000 --fault status=503,every=7',
    },
    output: 'nothing',
    parse: ({ allowHost, fault, data, records, latency, cap, tokenUses, ...input }) => ({
      port: input.port,
      allowHosts: allowHost,
      ...(data.length > 0 && { data }),
      ...(records !== undefined && { records }),
      ...(input.authorized && { access: 'authorized' as const }),
      ...(latency !== undefined && { latency }),
      ...(cap !== undefined && { maxPageSize: cap }),
      ...(input.gzip && { gzip: true }),
      ...(input.numbers && { idType: 'number' as const, sizeType: 'number' as const }),
      ...(tokenUses !== undefined && { oauth: { tokenUses } }),
      faults: fault,
    }),
    async run(context, options) {
      const { startMuseum } = await import('../../../mock/index.js');
      const museum = await startMuseum({ ...options, signal: context.signal });
      context.addCleanup(() => museum.close());
      const { clientId, clientSecret, redirectURI } = museum.client;
      context.stdout.write(`museum on ${museum.url}\n`);
      context.note(`  objects:   opac objects list --base-url ${museum.url}`);
      context.note(`  login:     client id ${clientId}, secret ${clientSecret}, redirect ${redirectURI}`);
      context.note(`  basic key: ${museum.basicKey}`);
      context.note('press Ctrl-C to stop');
      if (!context.signal.aborted) await once(context.signal, 'abort');
    },
  }),
];
