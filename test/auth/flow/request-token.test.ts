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
    notice: (message) => notices.push(message),
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
  return { error, log: deployment.log };
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
    expect(error).toMatchObject({ kind: 'auth', about: 'challenge', hint: expect.stringContaining('PLAIN') });
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
  ])('of %s names the cause and gives the words of the service', async (_, change, about, hint) => {
    const { error } = await failure({}, { client: { ...CLIENT, ...change } as never });
    expect(error).toMatchObject({ kind: 'auth', about, hint: expect.stringContaining(hint) });
    expect(error.message).toMatch(
      /^the service refused the (authorization|exchange) \(400\): ".+" \((GET|POST) \/oauth\/\w+\)$/,
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
    ['an error of OAuth', '{"error":"invalid_grant","error_description":"code expired"}', 'code'],
    ['nothing', '', 'unknown'],
    ['HTML', '<html>Bad Request</html>', 'unknown'],
  ])('of the exchange in the form of %s is understood', async (_, body, about) => {
    const { error } = await failure({ instead: answer('/token', 400, body) });
    expect(error).toMatchObject({ kind: 'auth', about });
  });
});

describe('an answer to the authorization that is no redirect of ours', () => {
  it.each([
    ['a sign-in page', answer('/authorize', 200, '<form>'), 'auth', '--method browser'],
    ['what is neither a redirect nor a page', answer('/authorize', 200, '{}'), 'deployment', 'base URL'],
    [
      'a redirect to a sign-in page',
      answer('/authorize', 302, '', { location: '/login' }),
      'auth',
      '--method browser',
    ],
    [
      'a redirect elsewhere',
      answer('/authorize', 302, '', { location: 'https://sso.example/?code=1' }),
      'auth',
      'paste',
    ],
    ['a redirect to nowhere', answer('/authorize', 302, ''), 'auth', 'paste'],
    ['401', answer('/authorize', 401, ''), 'auth', 'paste'],
    ['503', answer('/authorize', 503, ''), 'deployment', 'later'],
  ])('%s is an error that says what to do', async (_, instead, kind, hint) => {
    const { error } = await failure({ instead });
    expect(error).toMatchObject({ kind, hint: expect.stringContaining(hint) });
  });

  it.each([
    ['another state', (address: URL) => address.searchParams.set('state', 'foreign'), /state.*discarded/],
    ['two states', (address: URL) => address.searchParams.append('state', 'foreign'), /no state or no code/],
    ['two codes', (address: URL) => address.searchParams.append('code', 'other'), /no state or no code/],
    ['no code', (address: URL) => address.searchParams.delete('code'), /no state or no code/],
    ['an error', (address: URL) => address.searchParams.set('error', 'access\n_denied'), /"access _denied"/],
  ])('%s is an error', async (_, redirect, message) => {
    const { error, log } = await failure({ redirect });
    expect(error.message).toMatch(message);
    expect(log).not.toContain('POST /api/v3/oauth/token');
  });
});

describe('a token answer that is not what the document says', () => {
  const token = { accessToken: 'abc', tokenType: 'bearer', expires: 60 };
  it.each([
    ['HTML', '<html>', 200],
    ['an error of the server', '{}', 500],
    ['null', 'null', 200],
    ...[
      { ...token, tokenType: 'mac' },
      { ...token, tokenType: undefined },
      { ...token, accessToken: '' },
      { ...token, accessToken: 'a\r\nb' },
      { ...token, expires: undefined },
      { ...token, expires: 0 },
      { ...token, expires: -1 },
      { ...token, expires: 'soon' },
      { ...token, expires: null },
    ].map((body): [string, string, number] => [JSON.stringify(body), JSON.stringify(body), 200]),
  ])('is refused, and not asked for again: %s', async (_, body, status) => {
    const { error, log } = await failure({ instead: answer('/token', status, body) });
    expect(error.kind).toBe('deployment');
    expect(log).toHaveLength(2);
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
