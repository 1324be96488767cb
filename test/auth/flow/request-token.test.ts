import { describe, expect, it } from 'vitest';
import { CHALLENGE_FORMS, type ChallengeForm } from '../../../src/auth/flow/pkce.js';
import { requestToken } from '../../../src/auth/flow/request-token.js';
import { requestCodeHeadless } from '../../../src/auth/login/headless.js';
import { type Behaviour, CLIENT, startSmallDeployment } from '../small-deployment.js';

const NOW = Date.UTC(2026, 0, 1);

async function authorize(
  behaviour: Partial<Behaviour> = {},
  { form = 'S256-padded', client = CLIENT }: { form?: ChallengeForm; client?: typeof CLIENT } = {},
) {
  const deployment = await startSmallDeployment(behaviour);
  const notices: string[] = [];
  const outcome = requestToken({
    connection: deployment,
    client,
    form,
    requestCode: requestCodeHeadless(deployment),
    now: () => NOW,
    note: (message) => notices.push(message),
  });
  return { deployment, notices, outcome };
}

/** Returns the error of a login. The login must fail, and its error must not contain a secret. */
async function getLoginError(...parameters: Parameters<typeof authorize>) {
  const { deployment, outcome } = await authorize(...parameters);
  const error = await outcome.then(
    () => expect.unreachable('the login should fail'),
    (error) => error,
  );
  const errorText = `${error.stack} ${error.hint}`;
  for (const secret of [CLIENT.clientSecret, ...deployment.secrets]) expect(errorText).not.toContain(secret);
  return { error, log: deployment.log, baseUrl: deployment.baseUrl };
}

describe('requestToken without a browser', () => {
  it.each(CHALLENGE_FORMS)(
    'returns a token if the deployment accepts challenges of the form %s',
    async (form) => {
      const { deployment, outcome } = await authorize({ forms: [form] }, { form });
      const { token, form: usedForm } = await outcome;
      expect(deployment.tokens).toContain(token.value);
      expect(token).toMatchObject({ issuedAt: NOW, expiresAt: NOW + 3_600_000 });
      expect(usedForm).toBe(form);
    },
  );

  it('accepts a redirect URI that already has a query', async () => {
    const redirectURI = 'https://app.museum.example/?from=opac';
    const { outcome } = await authorize({ redirectURI }, { client: { ...CLIENT, redirectURI } as never });
    expect((await outcome).token.value).toMatch(/^token-/);
  });
});

describe('requestToken with a deployment that accepts one form of challenge', () => {
  it.each([
    ['S256-padded', 'S256'],
    ['S256', 'S256-padded'],
    ['PLAIN', 'S256-padded'],
  ] as const)('retries once after a refusal of %s, with %s', async (form, accepted) => {
    const { deployment, notices, outcome } = await authorize({ forms: [accepted] }, { form });
    expect((await outcome).form).toBe(accepted);
    expect(notices).toEqual([`the service refused the ${form} challenge; trying ${accepted}`]);
    expect(deployment.log).toHaveLength(4);
  });

  it('never tries PLAIN by itself, but the hint contains it', async () => {
    const { error, log } = await getLoginError({ forms: ['PLAIN'] });
    expect(error).toMatchObject({
      kind: 'auth',
      category: 'challenge',
      hint: expect.stringContaining('PLAIN'),
    });
    expect(log).toHaveLength(4);
  });
});

const respondTo =
  (path: string, status: number, body: string, headers: Record<string, string> = {}): Behaviour['instead'] =>
  (request, response) => {
    if (!request.url?.includes(path)) return false;
    response.writeHead(status, headers).end(body);
    return true;
  };

describe('requestToken after a refusal', () => {
  it.each([
    ['an unregistered redirect URI', { redirectURI: 'http://127.0.0.1:1/' }, 'redirect', 'registered'],
    ['an unknown client id', { clientId: 'other' }, 'client', 'client id'],
    ['a wrong secret', { clientSecret: 'wrong-secret' }, 'secret', 'client secret'],
  ])(
    'throws an error with the cause, a hint and the message of the service: %s',
    async (_, change, category, hint) => {
      const { error } = await getLoginError({}, { client: { ...CLIENT, ...change } as never });
      expect(error).toMatchObject({ kind: 'auth', category, hint: expect.stringContaining(hint) });
      expect(error.message).toMatch(
        /^the service refused (the authorization|to exchange the code for a token) \(400\): ".+" \((GET|POST) \/oauth\/\w+\)$/,
      );
      expect(error.message).not.toContain('wrong-secret');
    },
  );

  it.each([
    ['an unknown client id', { client: { ...CLIENT, clientId: 'other' } as never }, {}, 1],
    ['a wrong secret', { client: { ...CLIENT, clientSecret: 'wrong-secret' } as never }, {}, 2],
    ['a refused authorization without a reason', {}, { instead: respondTo('/authorize', 400, '') }, 1],
    ['a refused token request without a reason', {}, { instead: respondTo('/token', 400, '') }, 4],
  ])(
    'tries the other form of challenge only if that may help: %s',
    async (_, parameters, behaviour, requests) => {
      const { log } = await getLoginError(behaviour, parameters);
      expect(log).toHaveLength(requests);
    },
  );

  it.each([
    [
      'an OAuth error',
      '{"error":"invalid_grant","error_description":"code expired"}',
      'code',
      ': "invalid_grant"',
      'log in again; a code is valid once and for a short time',
    ],
    ['an empty body', '', 'unknown', '', 'check the client secret'],
    ['a web page', '<html>Bad Request</html>', 'unknown', '', 'check the client secret'],
  ])(
    'reads the cause from the response of the token endpoint: %s',
    async (_, body, category, reason, hint) => {
      const { error } = await getLoginError({ instead: respondTo('/token', 401, body) });
      const message = `the service refused to exchange the code for a token (401)${reason} (POST /oauth/token)`;
      expect(error).toMatchObject({ name: 'OAuthError', kind: 'auth', category, message, hint });
    },
  );
});

const OTHER_METHODS = 'log in with "opac login --method browser" or "--method paste"';

describe('requestToken after an invalid authorization response', () => {
  it.each([
    [
      'a sign-in page',
      respondTo('/authorize', 200, '<form>'),
      'auth',
      'the deployment shows a sign-in page, which needs a browser (GET /oauth/authorize)',
      OTHER_METHODS,
    ],
    [
      'a response that is neither a redirect nor a web page',
      respondTo('/authorize', 200, '{}'),
      'deployment',
      'the response (200) is neither a redirect nor a web page (GET /oauth/authorize)',
      'check that BASE is the right base URL',
    ],
    [
      'a redirect to a sign-in page',
      respondTo('/authorize', 302, '', { location: '/login' }),
      'auth',
      'the deployment redirects to another page of its site, not to the redirect URI (GET /oauth/authorize)',
      `the deployment may require a sign-in; ${OTHER_METHODS}`,
    ],
    [
      'a redirect to another site',
      respondTo('/authorize', 302, '', { location: 'https://sso.example/?code=1' }),
      'auth',
      'the deployment redirects to "https://sso.example", not to the redirect URI (GET /oauth/authorize)',
      `the deployment may require a sign-in; ${OTHER_METHODS}`,
    ],
    [
      'a redirect without a location',
      respondTo('/authorize', 399, ''),
      'auth',
      'the deployment redirects to another page of its site, not to the redirect URI (GET /oauth/authorize)',
      `the deployment may require a sign-in; ${OTHER_METHODS}`,
    ],
    ['401', respondTo('/authorize', 401, ''), 'auth', /valid credentials \(401\)/, OTHER_METHODS],
    ['503', respondTo('/authorize', 503, ''), 'deployment', /busy \(503\)/, expect.stringContaining('later')],
    [
      'a web page with status 404',
      respondTo('/authorize', 404, '<html>'),
      'deployment',
      /API was not found/,
      'check that BASE is the right base URL',
    ],
  ])('throws an error with a hint after %s', async (_, instead, kind, message, hint) => {
    const { error, baseUrl } = await getLoginError({ instead });
    const expectedHint = typeof hint === 'string' ? hint.replace('BASE', baseUrl) : hint;
    expect(error).toMatchObject({ kind, hint: expectedHint });
    if (typeof message === 'string') expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
  });

  it.each([
    [
      'another state',
      (address: URL) => address.searchParams.set('state', 'foreign'),
      'the state in the redirect does not match; the authorization code was not used',
      'log in again; if this happens again, ask your IT department whether a proxy changes requests',
    ],
    [
      'two states',
      (address: URL) => address.searchParams.append('state', 'foreign'),
      'the redirect of the service contains no state or no code',
      OTHER_METHODS,
    ],
    [
      'two codes',
      (address: URL) => address.searchParams.append('code', 'other'),
      'the redirect of the service contains no state or no code',
      OTHER_METHODS,
    ],
    [
      'no code',
      (address: URL) => address.searchParams.delete('code'),
      'the redirect of the service contains no state or no code',
      OTHER_METHODS,
    ],
    [
      'an error',
      (address: URL) => address.searchParams.set('error', 'access\n_denied'),
      'the service refused the authorization: "access _denied"',
      'check that the redirect URI is registered with the API key, and that the client id is correct',
    ],
    [
      'a very long error',
      (address: URL) => address.searchParams.set('error', ` ${'x'.repeat(400)}`),
      `the service refused the authorization: "${'x'.repeat(300)}"`,
      'check that the redirect URI is registered with the API key, and that the client id is correct',
    ],
    [
      'an error about the code',
      (address: URL) => address.searchParams.set('error', 'Grant expired'),
      'the service refused the authorization: "Grant expired"',
      'log in again; a code is valid once and for a short time',
    ],
  ])(
    'throws an error, and requests no token, after a redirect with %s',
    async (_, redirect, message, hint) => {
      const { error, log } = await getLoginError({ redirect });
      expect(error).toMatchObject({ message, hint });
      expect(log).not.toContain('POST /api/v3/oauth/token');
    },
  );
});

describe('requestToken after an unusual token response', () => {
  const token = { accessToken: 'abc', tokenType: 'bearer', expires: 60 };
  it.each([
    ['HTML', '<html>', 200],
    ['null', 'null', 200],
    ['a token too long for a header', JSON.stringify({ ...token, accessToken: 'x'.repeat(16_385) }), 200],
    ...[
      { ...token, tokenType: 'mac' },
      { ...token, tokenType: undefined },
      { ...token, accessToken: '' },
      { ...token, accessToken: 'a\r\nb' },
      { ...token, expires: undefined },
      { ...token, expires: 0 },
      { ...token, expires: -1 },
      { ...token, expires: 'soon' },
      { ...token, expires: ' ' },
      { ...token, accessToken: 7 },
      { ...token, tokenType: 7 },
      { ...token, expires: null },
    ].map((body): [string, string, number] => [JSON.stringify(body), JSON.stringify(body), 200]),
  ])('throws an error and does not retry: %s', async (_, body, status) => {
    const { error, log } = await getLoginError({ instead: respondTo('/token', status, body) });
    expect(error).toMatchObject({
      kind: 'deployment',
      code: 'unexpected-response',
      message: expect.stringMatching(
        /^the response of the service is not a token \(POST \/oauth\/token\): (not JSON \(no content type\)|accessToken is missing or invalid|tokenType is not bearer|expires is not a number of seconds)$/,
      ),
      hint: 'check the base URL; if it is correct, tell the operator of the service',
    });
    expect(log).toHaveLength(2);
  });

  it('throws an error with the base URL in its hint if the token endpoint does not exist', async () => {
    const { error, baseUrl } = await getLoginError({ instead: respondTo('/token', 404, '<html>') });
    expect(error).toMatchObject({ kind: 'deployment', hint: `check that ${baseUrl} is the right base URL` });
  });

  it.each([
    ['the token type Bearer with a capital letter', { ...token, tokenType: 'Bearer' }, 60],
    ['a lifetime that is a string', { ...token, expires: '60' }, 60],
    ['a very long lifetime, as one year', { ...token, expires: 1e300 }, 365 * 24 * 3600],
  ])('accepts %s', async (_, body, lifetime) => {
    const { outcome } = await authorize({ instead: respondTo('/token', 200, JSON.stringify(body)) });
    expect((await outcome).token).toEqual({ value: 'abc', issuedAt: NOW, expiresAt: NOW + lifetime * 1000 });
  });
});
