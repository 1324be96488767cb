import { afterEach, describe, expect, it } from 'vitest';
import { type ChallengeForm, type Museum, type MuseumOptions, startMuseum } from '../../../src/mock/index.js';

let museum: Museum;
afterEach(() => museum.close());

const open = async (options: MuseumOptions = {}) => {
  museum = await startMuseum({ access: 'authorized', ...options });
};

/** Two published examples: from the service (FIELD-NOTES.md), and from RFC 7636 Appendix B. */
const SERVICE = {
  verifier: 'f9752bd2-4346-439c-b14b-0c870b48ca82',
  challenge: 'xnD-u3lQbKrV5sWVLtiVXZuv3Z32uwmrVd411_IsXT8=',
};
const RFC = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

const createRequest = (changes: Record<string, string | undefined> = {}) => ({
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
  for (const [name, value] of Object.entries(createRequest(changes)))
    if (value !== undefined) query.set(name, value);
  return fetch(`${museum.url}/api/v3/oauth/authorize?${query}`, { redirect: 'manual' });
}

async function getCode(changes: Record<string, string> = {}): Promise<string> {
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

const createExchange = (code: string, changes: Record<string, unknown> = {}) => ({
  code,
  grantType: 'code',
  redirectURI: museum.client.redirectURI,
  clientId: museum.client.clientId,
  clientSecret: museum.client.clientSecret,
  codeVerifier: SERVICE.verifier,
  ...changes,
});

describe('the authorization request', () => {
  it('returns a redirect that keeps the query of the redirect URI', async () => {
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
  ])('returns 400 with %j: %s', async (changes, message) => {
    await open();
    const response = await authorize(changes);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message });
  });

  it('returns another state with the fault state-changed', async () => {
    await open({ faults: [{ kind: 'state-changed' }] });
    const location = new URL((await authorize()).headers.get('location') ?? '');
    expect(location.searchParams.get('state')).toBe('notabc123');
  });

  it('returns a sign-in page with signInPage', async () => {
    await open({ oauth: { signInPage: true } });
    const response = await authorize();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html;charset=UTF-8']);
    expect(await response.text()).toContain('href="http://127.0.0.1:8765/callback?state=abc123&amp;code=');
  });
});

describe('the token exchange', () => {
  it('returns a token that later requests can use', async () => {
    await open();
    const response = await exchange(createExchange(await getCode()));
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
    'accepts the challenge form %s only if the museum accepts it',
    async (form, method, codeVerifier, codeChallenge) => {
      const attempt = async (challengeForms: ChallengeForm[]) => {
        museum = await startMuseum({ oauth: { challengeForms } });
        const changes = { codeChallengeMethod: method, codeChallenge };
        const authorization = await authorize(changes);
        if (authorization.status !== 302) return authorization.status;
        const code = new URL(authorization.headers.get('location') ?? '').searchParams.get('code') ?? '';
        return (await exchange(createExchange(code, { codeVerifier }))).status;
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
  ])('returns 400 with %j: %s', async (changes, message) => {
    await open();
    const response = await exchange(createExchange(await getCode(), changes));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message });
  });

  it('refuses a code after a failed exchange', async () => {
    await open();
    const code = await getCode();
    expect((await exchange(createExchange(code, { codeVerifier: 'wrong' }))).status).toBe(400);
    expect((await exchange(createExchange(code))).status).toBe(400);
  });

  it('refuses an expired code', async () => {
    await open({ oauth: { codeLifetime: 0 } });
    expect(await (await exchange(createExchange(await getCode()))).json()).toEqual({
      message: 'code has expired',
    });
  });

  it.each([
    ['a form', 'code=1', 'application/x-www-form-urlencoded'],
    ['invalid JSON', '{', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['a body that is too large', `{"code":"${'x'.repeat(70_000)}"}`, 'application/json'],
  ])('refuses %s', async (_, body, type) => {
    await open();
    expect((await exchange(body, type)).status).toBe(400);
  });

  it.each([
    [{ set: { tokenType: 'mac' } }, { tokenType: 'mac' }],
    [{ drop: ['expires'] }, { expires: undefined }],
    [{ set: { expires: 0 } }, { expires: 0 }],
  ])('returns a changed response with the fault patched: %j', async (patch, expected) => {
    await open({ faults: [{ kind: 'patched', on: 'oauth.token', ...patch }] });
    const token = (await (await exchange(createExchange(await getCode()))).json()) as object;
    expect({ expires: undefined, ...token }).toMatchObject(expected);
  });
});
