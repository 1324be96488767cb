/** Describes the service as an OpenAPI document (INTERFACE.md "Authentication", "Errors"; FIELD-NOTES.md "Errors"). */
import { CATALOGUE, type Endpoint, pathParameters } from '../endpoints/catalogue.js';
import type { Parameter, Provenance } from '../endpoints/endpoint-row.js';
import type { JsonObject } from '../json.js';
import { createReference, getSchemaName, SCHEMAS } from './schemas.js';

interface OpenApiOptions {
  readonly version: string;
  readonly baseUrl?: string | undefined;
}

const ANY_DEPLOYMENT = 'https://museum.example';

export function createOpenApiDocument({ version, baseUrl = ANY_DEPLOYMENT }: OpenApiOptions): JsonObject {
  const base = baseUrl.replace(/(?<!\/)\/+$/, '').replace(/\/api\/v3$/, '');
  const nouns = [...new Set(CATALOGUE.map(getNoun))];
  const paths: Record<string, JsonObject> = {};
  for (const row of CATALOGUE)
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: createOperation(row) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Collections Records Service',
      version,
      summary: 'Museum collection records over HTTP, version 3 of the API',
      description:
        'Created by opac from its catalogue of the service. The key x-origin of each operation, parameter, response and ' +
        "schema shows where the information comes from: documented (in the service's API documentation), observed (on " +
        'deployments) or likely (by analogy, not observed). Responses may contain more than this document describes, and ' +
        'parts with the x-origin observed may be absent.',
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
    security: [{ oauth2: [] }, { basicKey: [] }],
    tags: nouns.map((name) => ({ name, description: `requests about ${name}` })),
    paths,
    components: {
      securitySchemes: createSecuritySchemes(`${base}/api/v3/oauth`),
      responses: FAILURES,
      schemas: SCHEMAS,
    },
  };
}

function getNoun(row: Endpoint): string {
  return row.id.split('.')[0] as string;
}

function createSecuritySchemes(oauthUrl: string): JsonObject {
  return {
    oauth2: {
      type: 'oauth2',
      description:
        'OAuth 2.0, authorization code grant with PKCE, with differences: parameter names use camel case (clientId, ' +
        'redirectURI, codeChallenge), the token request is a JSON body with grantType "code", the response contains ' +
        'accessToken, tokenType and expires, and scopes and refresh tokens do not exist. Generic OAuth clients do not ' +
        'support these differences; see the operations oauth.authorize and oauth.token.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${oauthUrl}/authorize`,
          tokenUrl: `${oauthUrl}/token`,
          scopes: {},
        },
      },
      'x-origin': 'documented',
    },
    basicKey: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description:
        'The word Basic, a space and the basic key, which the operator of the service supplies. The key is sent unchanged: ' +
        'it is not a user name with a password. Requests with the basic key are slower.',
      'x-origin': 'documented',
    },
  };
}

function createOperation(row: Endpoint): JsonObject {
  const { response, origin, path } = row;
  const isLogin = response.shape === 'redirect' || response.shape === 'token';
  return {
    operationId: row.id,
    summary: row.summary,
    tags: [getNoun(row)],
    'x-origin': origin,
    // The requests of a login need no credentials.
    ...(isLogin && { security: [] }),
    parameters: [
      ...pathParameters(path).map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: { type: 'string' },
        'x-origin': origin,
      })),
      ...row.query.map(createQueryParameter),
    ],
    ...(response.shape === 'token' && {
      requestBody: { required: true, content: createContent(createReference('TokenRequest')) },
    }),
    responses: createResponses(row),
  };
}

function createQueryParameter({ name, type, origin, summary, required, values }: Parameter): JsonObject {
  return {
    name,
    in: 'query',
    description: summary,
    ...(required && { required }),
    schema: { type, ...(values && { enum: values }), ...(type === 'integer' && { minimum: 0 }) },
    'x-origin': origin,
  };
}

function createResponses(row: Endpoint): JsonObject {
  const { response, path, origin } = row;
  const description = 'redirects to the redirect URI, with state and code';
  const badRequest = { 400: createFailureReference('BadRequest') };
  if (response.shape === 'redirect') {
    const headers = { Location: { description, schema: { type: 'string' } } };
    return { 302: { description, headers, 'x-origin': response.origin }, ...badRequest };
  }
  const content = createContent(createResponseSchema(row));
  const ok = { 200: { description: row.summary, content, 'x-origin': response.origin } };
  if (response.shape === 'token') return { ...ok, ...badRequest };
  const canBeMissing = path.includes('{') || origin === 'likely';
  return {
    ...ok,
    401: createFailureReference('Unauthorized'),
    ...(canBeMissing && { 404: createFailureReference('NotFound') }),
  };
}

function createResponseSchema({ response, query }: Endpoint): JsonObject {
  if (response.shape === 'redirect') return {};
  if (response.shape === 'token') return createReference('Token');
  const item = createReference(getSchemaName(response.item));
  if (response.shape === 'one') return item;
  return {
    type: 'object',
    properties: {
      [response.key]: {
        type: 'array',
        items: item,
        description: 'may be absent if the offset is after the last item',
      },
      [response.total]: {
        type: 'integer',
        description: 'number of items in the result; not reliable if the offset is after the last item',
      },
      ...(query.some(({ name }) => name === 'facetedResults') && {
        facetsCollection: createReference('FacetsCollection'),
      }),
    },
    additionalProperties: true,
    'x-origin': response.origin,
  };
}

function createContent(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

const FAILURES = {
  BadRequest: createFailure('documented', 'a parameter, a field of the body or the credentials are invalid'),
  Unauthorized: createFailure('observed', 'credentials are missing, rejected or expired'),
  NotFound: createFailure(
    'observed',
    'the record or other item does not exist, or the deployment does not have this endpoint',
  ),
} as const satisfies Record<string, JsonObject>;

function createFailureReference(name: keyof typeof FAILURES): JsonObject {
  return { $ref: `#/components/responses/${name}` };
}

function createFailure(origin: Provenance, description: string): JsonObject {
  return { description, content: createContent(createReference('Error')), 'x-origin': origin };
}
