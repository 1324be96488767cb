/** `opac openapi`: prints an OpenAPI document. */
import { createOpenApiDocument } from '../../../service/openapi/document.js';
import { VERSION } from '../../../service/version.js';
import { defineCommand } from '../../description/command.js';

export const commands = [
  defineCommand({
    name: 'openapi',
    summary: 'print an OpenAPI 3.1 document of the service',
    examples: {
      'save the document to a file': 'opac openapi -o openapi.json',
      'use a deployment as the server of the document':
        'opac openapi --base-url https://collection.example.org',
    },
    output: 'value',
    async run({ globalOptions: { baseUrl } }) {
      const document = createOpenApiDocument({ version: VERSION, ...(baseUrl !== undefined && { baseUrl }) });
      return { kind: 'value', text: JSON.stringify(document, null, 2), json: document, indent: 2 };
    },
  }),
];
