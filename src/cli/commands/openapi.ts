/** `opac openapi`: the service as other tools read it. */
import { openapi } from '../../service/openapi/document.js';
import { VERSION } from '../../service/version.js';
import { command } from '../command/command.js';

export const commands = [
  command({
    name: 'openapi',
    summary: 'describe the service as an OpenAPI 3.1 document',
    examples: [
      { purpose: 'the description, into a file', command: 'opac openapi -o openapi.json' },
      { purpose: 'for one deployment', command: 'opac openapi --base-url https://collection.example.org' },
    ],
    parse: () => undefined,
    async run({ settings: { baseUrl } }) {
      const document = openapi({ version: VERSION, ...(baseUrl !== undefined && { baseUrl }) });
      return { text: JSON.stringify(document, null, 2), json: document, indent: 2 };
    },
  }),
];
