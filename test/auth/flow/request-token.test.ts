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

/** The error of a login, and whether a secret got into it. */
async function failure(...given: Parameters<typeof authorize>) {
  const { deployment, outcome } = await authorize(...given);
  const error = await outcome.then(
    () => expect.unreachable('the login should fail'),
    (error) => error,
  );
  const said = `${error.stack} ${error.hint}`;
  for (const secret of [CLIENT.clientSecret, ...deployment.secrets]) expect(said).not.toContain(secret);
  return { error, log: deployment.log, baseUrl: deployment.baseUrl };
}

describe('an authorization without a browser', () => {
  it.each(CHALLENGE_FORMS)('gives a token where challenges of form %s are taken', async (form) => {
    const { deployment, outcome } = await authorize({ forms: [form] }, { form });
    const { token, form: worked } = await outcome;
    expect(deployment.tokens).toContain(token.value);
    expect(token).toMatchObject({ issuedAt: NOW, expiresAt: NOW + 3_600_000 });
    expect(worked).toBe(form);
  });

  it('reads a redirect URI that has a query and a slash of its own', async () => {
    const redirectURI = 'https://app.museum.example/?from=opac';
    const { outcome } = await authorize({ redirectURI }, { client: { ...CLIENT, redirectURI } as never });
    expect((await outcome).token.value).toMatch(/^token-/);
  });
});

describe('a deployment that takes one form of challenge only', () => {
  it.each([
    ['S256-padded', 'S256'],
    ['S256', 'S256-padded'],
    ['PLAIN', 'S256-padded'],
  ] as const)('is asked once more when the profile says %s and it takes %s', async (form, taken) => {
    const { deployment, notices, outcome } = await authorize({ forms: [taken] }, { form });
    expect((await outcome).form).toBe(taken);
    expect(notices).toEqual([`the service refused the ${form} challenge; trying ${taken}`]);
    expect(deployment.log).toHaveLength(4);
  });

  it('is never asked with PLAIN unless the profile says so', async () => {
    const { error, log } = await failure({ forms: ['PLAIN'] });
    expect(error).toMatchObject({
      kind: 'auth',
      category: 'challenge',
      hint: expect.stringContaining('PLAIN'),
    });
    expect(log).toHaveLength(4);
  });
});

const answer =
  (path: string, status: number, body: string, headers: Record<string, string> = {}): Behaviour['instead'] =>
  (request, response) => {
    if (!request.url?.includes(path)) return false;
    response.writeHead(status, headers).end(body);
    return true;
  };

describe('a refusal', () => {
  it.each([
    ['an unregistered redirect URI', { redirectURI: 'http://127.0.0.1:1/' }, 'redirect', 'registered'],
    ['another client id', { clientId: 'other' }, 'client', 'client id'],
    ['a wrong secret', { clientSecret: 'wrong-secret' }, 'secret', 'client secret'],
  ])('of %s names the cause and gives the words of the service', async (_, change, category, hint) => {
    const { error } = await failure({}, { client: { ...CLIENT, ...change } as never });
    expect(error).toMatchObject({ kind: 'auth', category, hint: expect.stringContaining(hint) });
    expect(error.message).toMatch(
      /^the service refused (the authorization|to exchange the code for a token) \(400\): ".+" \((GET|POST) \/oauth\/\w+\)$/,
    );
    expect(error.message).not.toContain('wrong-secret');
  });

  it.each([
    ['another client id', { client: { ...CLIENT, clientId: 'other' } as never }, {}, 1],
    ['a wrong secret', { client: { ...CLIENT, clientSecret: 'wrong-secret' } as never }, {}, 2],
    ['the authorization, without a reason', {}, { instead: answer('/authorize', 400, '') }, 1],
    ['the exchange, without a reason', {}, { instead: answer('/token', 400, '') }, 4],
  ])('of %s is met with the other form only where that may help', async (_, given, behaviour, requests) => {
    const { log } = await failure(behaviour, given);
    expect(log).toHaveLength(requests);
  });

  it.each([
    [
      'an error of OAuth',
      '{"error":"invalid_grant","error_description":"code expired"}',
      'code',
      ': "invalid_grant"',
      'log in again; a code is valid once and for a short time',
    ],
    ['nothing', '', 'unknown', '', 'check the client secret'],
    ['HTML', '<html>Bad Request</html>', 'unknown', '', 'check the client secret'],
  ])('of the exchange in the form of %s is understood', async (_, body, category, said, hint) => {
    const { error } = await failure({ instead: answer('/token', 401, body) });
    const message = `the service refused to exchange the code for a token (401)${said} (POST /oauth/token)`;
    expect(error).toMatchObject({ name: 'OAuthError', kind: 'auth', category, message, hint });
  });
});

const OTHER_METHODS = 'log in with "opac login --method browser" or "--method paste"';

describe('an answer to the authorization that is no redirect of ours', () => {
  it.each([
    [
      'a sign-in page',
      answer('/authorize', 200, '<form>'),
      'auth',
      'the deployment shows a sign-in page, which needs a browser (GET /oauth/authorize)',
      OTHER_METHODS,
    ],
    [
      'what is neither a redirect nor a page',
      answer('/authorize', 200, '{}'),
      'deployment',
      'the response (200) is neither a redirect nor a web page (GET /oauth/authorize)',
      'check that BASE is the right base URL',
    ],
    [
      'a redirect to a sign-in page',
      answer('/authorize', 302, '', { location: '/login' }),
      'auth',
      'the deployment redirects to another page of its site, not to the redirect URI (GET /oauth/authorize)',
      `the deployment may require a sign-in; ${OTHER_METHODS}`,
    ],
    [
      'a redirect elsewhere',
      answer('/authorize', 302, '', { location: 'https://sso.example/?code=1' }),
      'auth',
      'the deployment redirects to "https://sso.example", not to the redirect URI (GET /oauth/authorize)',
      `the deployment may require a sign-in; ${OTHER_METHODS}`,
    ],
    [
      'a redirect to nowhere',
      answer('/authorize', 399, ''),
      'auth',
      'the deployment redirects to another page of its site, not to the redirect URI (GET /oauth/authorize)',
      `the deployment may require a sign-in; ${OTHER_METHODS}`,
    ],
    ['401', answer('/authorize', 401, ''), 'auth', /valid credentials \(401\)/, OTHER_METHODS],
    ['503', answer('/authorize', 503, ''), 'deployment', /busy \(503\)/, expect.stringContaining('later')],
    [
      'a page that is not there',
      answer('/authorize', 404, '<html>'),
      'deployment',
      /API was not found/,
      'check that BASE is the right base URL',
    ],
  ])('%s is an error that says what to do', async (_, instead, kind, message, hint) => {
    const { error, baseUrl } = await failure({ instead });
    const said = typeof hint === 'string' ? hint.replace('BASE', baseUrl) : hint;
    expect(error).toMatchObject({ kind, hint: said });
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
      'an error of any length',
      (address: URL) => address.searchParams.set('error', ` ${'x'.repeat(400)}`),
      `the service refused the authorization: "${'x'.repeat(300)}"`,
      'check that the redirect URI is registered with the API key, and that the client id is correct',
    ],
    [
      'an error reason the code',
      (address: URL) => address.searchParams.set('error', 'Grant expired'),
      'the service refused the authorization: "Grant expired"',
      'log in again; a code is valid once and for a short time',
    ],
  ])('%s is an error', async (_, redirect, message, hint) => {
    const { error, log } = await failure({ redirect });
    expect(error).toMatchObject({ message, hint });
    expect(log).not.toContain('POST /api/v3/oauth/token');
  });
});

describe('a token answer that is not what the document says', () => {
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
  ])('is refused, and not asked for again: %s', async (_, body, status) => {
    const { error, log } = await failure({ instead: answer('/token', status, body) });
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

  it('is refused where no interface is, with the address that was asked', async () => {
    const { error, baseUrl } = await failure({ instead: answer('/token', 404, '<html>') });
    expect(error).toMatchObject({ kind: 'deployment', hint: `check that ${baseUrl} is the right base URL` });
  });

  it.each([
    ['BEARER in capitals', { ...token, tokenType: 'Bearer' }, 60],
    ['a number in quotes', { ...token, expires: '60' }, 60],
    ['a life without end', { ...token, expires: 1e300 }, 365 * 24 * 3600],
  ])('is taken where it is meant well: %s', async (_, body, life) => {
    const { outcome } = await authorize({ instead: answer('/token', 200, JSON.stringify(body)) });
    expect((await outcome).token).toEqual({ value: 'abc', issuedAt: NOW, expiresAt: NOW + life * 1000 });
  });
});
