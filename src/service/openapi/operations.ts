/** Describes an endpoint as an OpenAPI operation. */
import { type Endpoint, pathParameters } from '../endpoints/catalogue.js';
import type { Parameter, Provenance, ResponseShape } from '../endpoints/endpoint-row.js';
import type { JsonObject } from '../json.js';
import { schemaName } from './schemas.js';

export function createOperation(row: Endpoint): JsonObject {
  return {
    operationId: row.id,
    summary: row.summary,
    tags: [getTag(row)],
    'x-origin': row.origin,
    ...(OPEN.has(row.response.shape) && { security: [] }),
    parameters: [
      ...pathParameters(row.path).map((name) => pathParameter(name, row)),
      ...row.query.map(queryParameter),
    ],
    ...(row.response.shape === 'token' && {
      requestBody: { required: true, content: json(schemaRef('TokenRequest')) },
    }),
    responses: responses(row),
  };
}

export function getTag(row: Endpoint): string {
  return row.id.split('.')[0] as string;
}

/** The requests that obtain an authorization need none. */
const OPEN: ReadonlySet<ResponseShape['shape']> = new Set(['redirect', 'token']);

function pathParameter(name: string, row: Endpoint): JsonObject {
  return { name, in: 'path', required: true, schema: { type: 'string' }, 'x-origin': row.origin };
}

function queryParameter({ name, type, origin, summary, required, values }: Parameter): JsonObject {
  return {
    name,
    in: 'query',
    description: summary,
    ...(required && { required }),
    schema: { type, ...(values && { enum: values }), ...(type === 'integer' && { minimum: 0 }) },
    'x-origin': origin,
  };
}

function responses(row: Endpoint): JsonObject {
  if (row.response.shape === 'redirect') {
    const location = { description: 'the redirect URI with state and code', schema: { type: 'string' } };
    return {
      302: {
        description: 'to the redirect URI, with state and code',
        headers: { Location: location },
        'x-origin': row.response.origin,
      },
      400: failureRef('BadRequest'),
    };
  }
  const ok = {
    200: {
      description: row.summary,
      content: json(responseSchema(row)),
      'x-origin': row.response.origin,
    },
  };
  if (row.response.shape === 'token') return { ...ok, 400: failureRef('BadRequest') };
  const canBeMissing = row.path.includes('{') || row.origin === 'likely';
  return { ...ok, 401: failureRef('Unauthorized'), ...(canBeMissing && { 404: failureRef('NotFound') }) };
}

function responseSchema({ response, query }: Endpoint): JsonObject {
  if (response.shape === 'redirect') return {};
  if (response.shape === 'token') return schemaRef('Token');
  const item = schemaRef(schemaName(response.item));
  if (response.shape === 'one') return item;
  return {
    type: 'object',
    properties: {
      [response.key]: { type: 'array', items: item, description: 'may be absent past the end of the result' },
      [response.total]: {
        type: 'integer',
        description: 'how many there are; not reliable past the end of the result',
      },
      ...(query.some(({ name }) => name === 'facetedResults') && {
        facetsCollection: schemaRef('FacetsCollection'),
      }),
    },
    additionalProperties: true,
    'x-origin': response.origin,
  };
}

function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function failureRef(name: keyof typeof FAILURES): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

/** INTERFACE.md "Errors", FIELD-NOTES.md "Errors". */
export const FAILURES = {
  BadRequest: failure(
    'documented',
    'a parameter, a field of the body or the credentials are not as expected',
  ),
  Unauthorized: failure('observed', 'credentials are missing, rejected or expired'),
  NotFound: failure('observed', 'there is no such record, or the deployment does not offer this'),
} as const satisfies Record<string, JsonObject>;

function failure(origin: Provenance, description: string): JsonObject {
  return { description, content: json(schemaRef('Error')), 'x-origin': origin };
}
