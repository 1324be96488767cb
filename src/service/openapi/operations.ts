/** One OpenAPI operation from one row of the catalogue. */
import {
  type AnswerShape,
  type Endpoint,
  type Origin,
  type Parameter,
  pathParameters,
} from '../catalogue.js';
import type { Json, JsonObject } from '../json.js';
import { ITEM_EXAMPLES, TOKEN_EXAMPLE, TOKEN_REQUEST_EXAMPLE } from './examples.js';
import { SCHEMA_NAMES } from './schemas.js';

/** The OpenAPI operation of a row. */
export function operation(row: Endpoint): JsonObject {
  return {
    operationId: row.id,
    summary: row.summary,
    tags: [nounOf(row)],
    description: ORIGIN_NOTES[row.origin],
    'x-origin': row.origin,
    ...(isOpen(row) && { security: [] }),
    parameters: [
      ...pathParameters(row.path).map((name) => pathParameter(name, row)),
      ...row.query.map(queryParameter),
    ],
    ...(row.answer.shape === 'token' && {
      requestBody: { required: true, content: json(schemaRef('TokenRequest'), TOKEN_REQUEST_EXAMPLE) },
    }),
    responses: responses(row),
  };
}

/** What groups the operations: the part of the id before the dot. */
export function nounOf(row: Endpoint): string {
  return row.id.split('.')[0] as string;
}

const ORIGIN_NOTES = {
  documented: "Stated in the interface's document.",
  observed: "Not in the interface's document; seen on deployments of the service.",
  likely: "Not in the interface's document and not seen; likely by analogy. A deployment may answer 404.",
} as const satisfies Record<Origin, string>;

/** The requests that obtain an authorization need none. */
function isOpen({ answer }: Endpoint): boolean {
  return answer.shape === 'redirect' || answer.shape === 'token';
}

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
  if (row.answer.shape === 'redirect') {
    const location = { description: 'the redirect URI with state and code', schema: { type: 'string' } };
    return {
      302: {
        description: 'to the redirect URI, with state and code',
        headers: { Location: location },
        'x-origin': row.answer.origin,
      },
      400: shared('BadRequest'),
    };
  }
  const ok = {
    200: {
      description: row.summary,
      content: json(answerSchema(row.answer, row), answerExample(row.answer, row)),
      'x-origin': row.answer.origin,
    },
  };
  if (row.answer.shape === 'token') return { ...ok, 400: shared('BadRequest') };
  const canBeMissing = row.path.includes('{') || row.origin === 'likely';
  return { ...ok, 401: shared('Unauthorized'), ...(canBeMissing && { 404: shared('NotFound') }) };
}

function answerSchema(answer: AnswerShape, row: Endpoint): JsonObject {
  if (answer.shape === 'redirect') return {};
  if (answer.shape === 'token') return schemaRef('Token');
  const item = schemaRef(SCHEMA_NAMES[answer.item]);
  if (answer.shape === 'one') return item;
  return {
    type: 'object',
    properties: {
      [answer.key]: { type: 'array', items: item, description: 'may be absent past the end of the result' },
      [answer.total]: {
        type: 'integer',
        description: 'how many there are; not reliable past the end of the result',
      },
      ...(takesFacets(row) && { facetsCollection: schemaRef('FacetsCollection') }),
    },
    additionalProperties: true,
    'x-origin': answer.origin,
  };
}

function answerExample(answer: AnswerShape, row: Endpoint): Json {
  if (answer.shape === 'redirect' || answer.shape === 'token') return TOKEN_EXAMPLE;
  const item = ITEM_EXAMPLES[answer.item];
  if (answer.shape === 'one') return item;
  return {
    [answer.key]: [item],
    [answer.total]: 1,
    ...(takesFacets(row) && { facetsCollection: { facets: [ITEM_EXAMPLES.facet], totalFacets: 1 } }),
  };
}

function takesFacets(row: Endpoint): boolean {
  return row.query.some(({ name }) => name === 'facetedResults');
}

function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

function shared(name: keyof typeof FAILURES): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

function json(schema: JsonObject, example: Json): JsonObject {
  return { 'application/json': { schema, example } };
}

/** What several operations fail with (INTERFACE.md "Errors", FIELD-NOTES.md "Errors"). */
export const FAILURES = {
  BadRequest: {
    description: 'a parameter, a field of the body or the credentials are not as expected',
    content: json(schemaRef('Error'), { message: 'Bad request' }),
    'x-origin': 'documented',
  },
  Unauthorized: {
    description: 'credentials are missing, rejected or expired',
    content: json(schemaRef('Error'), { message: 'Aborting request as authorization headers are missing' }),
    'x-origin': 'observed',
  },
  NotFound: {
    description: 'there is no such record, or the deployment does not offer this',
    content: json(schemaRef('Error'), { message: 'Person with ID : 671988 does not exist' }),
    'x-origin': 'observed',
  },
} as const satisfies Record<string, JsonObject>;
