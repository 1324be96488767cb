import { afterEach, describe, expect, it } from 'vitest';
import { type ChallengeForm, type Museum, type MuseumOptions, startMuseum } from '../../../src/mock/index.js';

let museum: Museum;
afterEach(() => museum.close());

const open = async (options: MuseumOptions = {}) => {
  museum = await startMuseum({ access: 'authorized', ...options });
};

/** The two published examples: the service's own (FIELD-NOTES.md) and RFC 7636 Appendix B. */
const SERVICE = {
  verifier: 'f9752bd2-4346-439c-b14b-0c870b48ca82',
  challenge: 'xnD-u3lQbKrV5sWVLtiVXZuv3Z32uwmrVd411_IsXT8=',
};
const RFC = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

const request = (changes: Record<string, string | undefined> = {}) => ({
  clientId: museum.client.clientId,
  responseType: 'code',
  redirectURI: museum.client.redirectURI,
  state: 'abc123',
  codeChallengeMethod: 'S256',
  codeChallenge: SERVICE.challenge,
  ...changes,
});

function authorize(changes: Record<string, string | undefined> = {}): Promise<Response> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request(changes)))
    if (value !== undefined) query.set(name, value);
  return fetch(`${museum.url}/api/v3/oauth/authorize?${query}`, { redirect: 'manual' });
}

async function codeFor(changes: Record<string, string> = {}): Promise<string> {
  const location = new URL((await authorize(changes)).headers.get('location') ?? '');
  return location.searchParams.get('code') ?? '';
}

function exchange(body: unknown, contentType = 'application/json'): Promise<Response> {
  return fetch(`${museum.url}/api/v3/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': contentType },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const exchangeOf = (code: string, changes: Record<string, unknown> = {}) => ({
  code,
  grantType: 'code',
  redirectURI: museum.client.redirectURI,
  clientId: museum.client.clientId,
  clientSecret: museum.client.clientSecret,
  codeVerifier: SERVICE.verifier,
  ...changes,
});

describe('the authorization request', () => {
  it('is answered with the redirect, keeping what the URI had', async () => {
    const redirectURI = 'https://example.org/back?from=opac';
    await open({ oauth: { clients: [{ clientId: 'c', clientSecret: 's', redirectURIs: [redirectURI] }] } });
    const response = await authorize();
    const location = new URL(response.headers.get('location') ?? '');
    expect([response.status, location.origin + location.pathname]).toEqual([302, 'https://example.org/back']);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      from: 'opac',
      state: 'abc123',
      code: expect.stringMatching(/^[\w-]{30,}$/),
    });
  });

  it.each<[Record<string, string | undefined>, string]>([
    ...Object.keys({
      clientId: 0,
      responseType: 0,
      redirectURI: 0,
      state: 0,
      codeChallengeMethod: 0,
      codeChallenge: 0,
    }).map((name): [Record<string, undefined>, string] => [{ [name]: undefined }, `${name} is required`]),
    [{ clientId: 'other' }, 'clientId is not registered'],
    [{ responseType: 'token' }, 'responseType must be code'],
    [{ redirectURI: 'http://127.0.0.1:8765/callback/' }, 'redirectURI is not registered'],
    [{ state: 'not alphanumeric' }, 'state must be alphanumeric'],
    [{ codeChallengeMethod: 'plain' }, 'codeChallengeMethod is not supported'],
    [{ codeChallenge: 'a+b' }, 'codeChallenge is not valid'],
    [{ scope: 'all' }, 'scope is not expected'],
  ])('with %j is a bad request', async (changes, message) => {
    await open();
    const response = await authorize(changes);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message });
  });

  it('may come back with another state', async () => {
    await open({ faults: [{ kind: 'state-changed' }] });
    const location = new URL((await authorize()).headers.get('location') ?? '');
    expect(location.searchParams.get('state')).toBe('notabc123');
  });

  it('may lead over a sign-in page', async () => {
    await open({ oauth: { signInPage: true } });
    const response = await authorize();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html;charset=UTF-8']);
    expect(await response.text()).toContain('href="http://127.0.0.1:8765/callback?state=abc123&amp;code=');
  });
});

describe('the token exchange', () => {
  it('gives a token that opens the records', async () => {
    await open();
    const response = await exchange(exchangeOf(await codeFor()));
    const token = (await response.json()) as { accessToken: string };
    expect(token).toEqual({ accessToken: expect.any(String), tokenType: 'bearer', expires: 3600 });
    const headers = { authorization: `Bearer ${token.accessToken}` };
    expect((await fetch(`${museum.url}/api/v3/colors/css`, { headers })).status).toBe(200);
  });

  const forms: [ChallengeForm, string, string, string][] = [
    ['S256-padded', 'S256', SERVICE.verifier, SERVICE.challenge],
    ['S256', 'S256', RFC.verifier, RFC.challenge],
    ['PLAIN', 'PLAIN', SERVICE.verifier, SERVICE.verifier],
  ];

  it.each(forms)(
    'takes %s when the museum does, and only then',
    async (form, method, codeVerifier, codeChallenge) => {
      const attempt = async (challengeForms: ChallengeForm[]) => {
        museum = await startMuseum({ oauth: { challengeForms } });
        const changes = { codeChallengeMethod: method, codeChallenge };
        const asked = await authorize(changes);
        if (asked.status !== 302) return asked.status;
        const code = new URL(asked.headers.get('location') ?? '').searchParams.get('code') ?? '';
        return (await exchange(exchangeOf(code, { codeVerifier }))).status;
      };
      expect(await attempt([form])).toBe(200);
      await museum.close();
      expect(await attempt(forms.map(([name]) => name).filter((name) => name !== form))).toBe(400);
    },
  );

  it.each<[Record<string, unknown>, string]>([
    [{ code: 'other' }, 'code is not valid'],
    [{ grantType: 'authorization_code' }, 'grantType must be code'],
    [{ redirectURI: 'http://localhost/' }, 'redirectURI is not registered'],
    [{ clientId: 'other' }, 'clientId is not registered'],
    [{ clientSecret: 'other' }, 'clientSecret is not valid'],
    [{ codeVerifier: 'other' }, 'codeVerifier does not match the codeChallenge'],
    [{ codeVerifier: undefined }, 'codeVerifier is required'],
    [{ codeVerifier: 7 }, 'codeVerifier is required'],
    [{ scope: 'all' }, 'scope is not expected'],
  ])('with %j is a bad request', async (changes, message) => {
    await open();
    const response = await exchange(exchangeOf(await codeFor(), changes));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message });
  });

  it('uses a code up, whether it succeeds or fails', async () => {
    await open();
    const code = await codeFor();
    expect((await exchange(exchangeOf(code, { codeVerifier: 'wrong' }))).status).toBe(400);
    expect((await exchange(exchangeOf(code))).status).toBe(400);
  });

  it('comes too late for a code without a life', async () => {
    await open({ oauth: { codeLifetime: 0 } });
    expect(await (await exchange(exchangeOf(await codeFor()))).json()).toEqual({
      message: 'code has expired',
    });
  });

  it.each([
    ['a form', 'code=1', 'application/x-www-form-urlencoded'],
    ['no JSON', '{', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['too much', `{"code":"${'x'.repeat(70_000)}"}`, 'application/json'],
  ])('refuses %s', async (_, body, type) => {
    await open();
    expect((await exchange(body, type)).status).toBe(400);
  });

  it.each([
    [{ set: { tokenType: 'mac' } }, { tokenType: 'mac' }],
    [{ drop: ['expires'] }, { expires: undefined }],
    [{ set: { expires: 0 } }, { expires: 0 }],
  ])('may be answered oddly: %j', async (patch, expected) => {
    await open({ faults: [{ kind: 'patched', on: 'oauth.token', ...patch }] });
    const token = (await (await exchange(exchangeOf(await codeFor()))).json()) as object;
    expect({ expires: undefined, ...token }).toMatchObject(expected);
  });
});
