import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, type Endpoint, pathParameters } from '../../../src/service/endpoints/catalogue.js';
import { createOpenApiDocument } from '../../../src/service/openapi/document.js';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly 'x-origin': string;
  }[];
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-origin': string;
}
interface Response {
  readonly $ref?: string;
  readonly content?: {
    readonly 'application/json': {
      readonly schema: { readonly type?: string; readonly $ref?: string; readonly properties?: object };
    };
  };
  readonly 'x-origin'?: string;
}
interface Description {
  readonly servers: readonly {
    readonly url: string;
    readonly variables: { readonly base_url: { readonly default: string } };
  }[];
  readonly security: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly schemas: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
}

const ORIGINS = ['documented', 'observed', 'likely'];
/** Each test creates the document, so that an error in its creation fails the test. */
const createDescription = (baseUrl?: string) =>
  createOpenApiDocument({ version: '1.2.3', baseUrl }) as unknown as Description;

function getOperation(row: Endpoint): Operation {
  return createDescription().paths[row.path]?.[row.method.toLowerCase()] as Operation;
}

describe('createOpenApiDocument', () => {
  it.each([undefined, 'https://museum.example/sub/api/v3/'])(
    'returns an OpenAPI 3.1 document that a public validator accepts (base %s)',
    async (baseUrl) => {
      const validator = new Validator();
      const described = JSON.parse(JSON.stringify(createDescription(baseUrl)));
      expect(await validator.validate(described)).toEqual({ valid: true });
      expect(validator.version).toBe('3.1');
    },
  );

  it('leaves only parameters, scopes and security requirements empty', () => {
    const empty: string[] = [];
    const walk = (part: unknown, key: string): void => {
      if (key === '' || part === '') empty.push(key);
      if (typeof part !== 'object' || part === null) return;
      const parts = Object.entries(part);
      if (parts.length === 0) empty.push(key);
      for (const [name, value] of parts) walk(value, name);
    };
    walk(createDescription(), 'document');
    expect([...new Set(empty)].sort()).toEqual(['basicKey', 'oauth2', 'parameters', 'scopes', 'security']);
  });

  it('contains the target of each reference', () => {
    const document = createDescription();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1] as string,
    );
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const found = reference
        .split('/')
        .reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], document);
      expect(found, reference).toBeDefined();
    }
  });

  it('contains the origin of each operation, parameter, response and schema', () => {
    for (const row of CATALOGUE) {
      const operation = getOperation(row);
      expect(operation['x-origin']).toBe(row.origin);
      for (const parameter of operation.parameters) expect(ORIGINS).toContain(parameter['x-origin']);
      for (const response of Object.values(operation.responses))
        if (!response.$ref) expect(response['x-origin']).toBe(row.response.origin);
    }
    for (const [name, schema] of Object.entries(createDescription().components.schemas))
      expect(ORIGINS, name).toContain(schema['x-origin']);
  });

  it('creates the server URL and the OAuth URLs from any form of the base URL', () => {
    const { servers, components } = createDescription('https://museum.example/sub/api/v3/');
    expect(servers).toMatchObject([
      { url: '{base_url}/api/v3', variables: { base_url: { default: 'https://museum.example/sub' } } },
    ]);
    expect(components.securitySchemes.oauth2).toMatchObject({
      flows: {
        authorizationCode: {
          authorizationUrl: 'https://museum.example/sub/api/v3/oauth/authorize',
          tokenUrl: 'https://museum.example/sub/api/v3/oauth/token',
        },
      },
    });
    expect(createDescription().servers[0]?.variables.base_url.default).toBe('https://museum.example');
    expect(createDescription('https://a.example//').servers[0]?.variables.base_url.default).toBe(
      'https://a.example',
    );
  });

  it('lists both security schemes, and requires none for the OAuth endpoints', () => {
    const { oauth2, basicKey } = createDescription().components.securitySchemes;
    expect(oauth2).toMatchObject({ type: 'oauth2', description: expect.stringContaining('redirectURI') });
    expect(basicKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'Authorization' });
    expect(createDescription().security).toEqual([{ oauth2: [] }, { basicKey: [] }]);
    const open = CATALOGUE.filter((row) => getOperation(row).security?.length === 0).map((row) => row.id);
    expect(open).toEqual(['oauth.authorize', 'oauth.token']);
  });
});

describe.each(CATALOGUE.map((row) => [row.id, row] as const))('the OpenAPI operation %s', (id, row) => {
  it('has the parameters of the catalogue', () => {
    const operation = getOperation(row);
    expect(operation.operationId).toBe(id);
    const named = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
    expect(named('path').map(({ name }) => name)).toEqual(pathParameters(row.path));
    expect(named('path').every(({ required }) => required)).toBe(true);
    expect(named('query')).toEqual(
      row.query.map(({ name, required, type, values, summary, origin }) => ({
        name,
        in: 'query',
        description: summary,
        ...(required && { required }),
        schema: { type, ...(values && { enum: values }), ...(type === 'integer' && { minimum: 0 }) },
        'x-origin': origin,
      })),
    );
    expect(operation).toMatchObject({ summary: row.summary, tags: [id.split('.')[0]] });
    expect(Object.hasOwn(operation, 'requestBody')).toBe(id === 'oauth.token');
  });

  it('has the response of the catalogue', () => {
    const operation = getOperation(row);
    const { response: expected } = row;
    if (expected.shape === 'redirect')
      return expect(Object.keys(operation.responses)).toEqual(['302', '400']);
    const { schema } = operation.responses[200]?.content?.['application/json'] ?? {};
    if (expected.shape === 'list') {
      const hasFacets = row.query.some(({ name }) => name === 'facetedResults');
      const keys = [expected.key, expected.total, ...(hasFacets ? ['facetsCollection'] : [])];
      expect(Object.keys(schema?.properties ?? {})).toEqual(keys);
    }
    expect(Object.keys(operation.responses)).toContain(expected.shape === 'token' ? '400' : '401');
    expect([schema?.type, schema?.$ref === undefined]).toEqual(
      expected.shape === 'list' ? ['object', true] : [undefined, false],
    );
    // Endpoints that may not exist, and requests by id, can return 404.
    const canBeMissing = row.path.includes('{') || row.origin === 'likely';
    expect(Object.hasOwn(operation.responses, 404)).toBe(canBeMissing && expected.shape !== 'token');
  });
});
