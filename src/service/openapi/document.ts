/** Describes the service as an OpenAPI document. */
import { CATALOGUE, type Endpoint } from '../endpoints/catalogue.js';
import type { JsonObject } from '../json.js';
import { createOperation, FAILURES, getTag } from './operations.js';
import { SCHEMAS } from './schemas.js';
import { SECURITY, securitySchemes } from './security.js';

interface OpenApiOptions {
  readonly version: string;
  readonly baseUrl?: string | undefined;
}

const ANY_DEPLOYMENT = 'https://museum.example';

/** An OpenAPI 3.1 document of every endpoint; `x-origin` in it says what is documented, observed or likely. */
export function createOpenApiDocument(
  options: OpenApiOptions,
  catalogue: readonly Endpoint[] = CATALOGUE,
): JsonObject {
  const base = (options.baseUrl ?? ANY_DEPLOYMENT).replace(/(?<!\/)\/+$/, '').replace(/\/api\/v3$/, '');
  const nouns = [...new Set(catalogue.map(getTag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Collections Records Service',
      version: options.version,
      summary: 'Museum collection records over HTTP, version 3 of the interface',
      description:
        'Made by opac from its catalogue of the service. Every operation, parameter, answer and schema says in x-origin where ' +
        "the knowledge comes from: documented (the interface's own document), observed (on deployments) or likely " +
        '(by analogy, not seen). Answers may hold more than is described, and what is only observed may be absent.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '{base_url}/api/v3',
        description: 'one deployment',
        variables: {
          base_url: { default: base, description: 'scheme, host and base path of the deployment' },
        },
      },
    ],
    security: SECURITY,
    tags: nouns.map((name) => ({ name, description: `requests about ${name}` })),
    paths: paths(catalogue),
    components: {
      securitySchemes: securitySchemes(`${base}/api/v3`),
      responses: FAILURES,
      schemas: SCHEMAS,
    },
  };
}

function paths(catalogue: readonly Endpoint[]): JsonObject {
  const found: Record<string, JsonObject> = {};
  for (const row of catalogue) {
    found[row.path] = { ...found[row.path], [row.method.toLowerCase()]: createOperation(row) };
  }
  return found;
}
