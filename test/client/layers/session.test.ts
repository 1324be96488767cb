import { describe, expect, it } from 'vitest';
import { ANONYMOUS, type Credentials } from '../../../src/client/credentials.js';
import type { HttpRequest, HttpResponse, Send } from '../../../src/client/http-request.js';
import { withSession } from '../../../src/client/layers/session.js';
import { redactText } from '../../../src/service/redact.js';
import { createGate } from '../server.js';

const GET: HttpRequest = { method: 'GET', path: '/opacobjects' };

/** Creates a service that accepts only the Authorization header that `getValid` returns. */
function createService(getValid: () => string) {
  const seen: (string | undefined)[] = [];
  const send: Send = async ({ headers }): Promise<HttpResponse> => {
    seen.push(headers?.authorization);
    const status = headers?.authorization === getValid() ? 200 : 401;
    return { status, headers: {}, bytes: Buffer.from('{}'), elapsed: 1 };
  };
  return { send, seen };
}

describe('withSession', () => {
  it('adds the credentials to the headers of a request', async () => {
    const requests: HttpRequest[] = [];
    const send: Send = async (request) => {
      requests.push(request);
      return { status: 200, headers: {}, bytes: Buffer.alloc(0), elapsed: 1 };
    };
    await withSession(send, { scheme: 'basic', authorization: async () => 'Basic k' })({
      ...GET,
      headers: { a: 'b' },
    });
    expect(requests[0]?.headers).toEqual({ a: 'b', authorization: 'Basic k' });
  });

  it('sends no credentials for an anonymous client, and returns the 401', async () => {
    const { send, seen } = createService(() => 'x');
    expect(await withSession(send, ANONYMOUS)(GET)).toMatchObject({ status: 401 });
    expect(seen).toEqual([undefined]);
  });

  it('returns the 401 if the credentials cannot be renewed', async () => {
    const { send, seen } = createService(() => 'x');
    const credentials: Credentials = { scheme: 'basic', authorization: async () => 'Basic k' };
    expect(await withSession(send, credentials)(GET)).toMatchObject({ status: 401 });
    const none: Credentials = { ...credentials, renew: async () => undefined };
    expect(await withSession(send, none)(GET)).toMatchObject({ status: 401 });
    expect(seen).toEqual(['Basic k', 'Basic k']);
  });
});

describe('a token that is valid for two requests', () => {
  it('is renewed as often as twelve simultaneous requests need', async () => {
    const USES = 2;
    const uses = new Map<string, number>();
    let issued = 1;
    const token = () => `Bearer ${issued}`;
    const send: Send = async ({ headers }) => {
      const value = headers?.authorization ?? '';
      const used = (uses.get(value) ?? 0) + 1;
      uses.set(value, used);
      return { status: used <= USES ? 200 : 401, headers: {}, bytes: Buffer.alloc(0), elapsed: 1 };
    };
    const credentials: Credentials = {
      scheme: 'bearer',
      authorization: async () => token(),
      renew: async (rejected) => {
        if (rejected === token()) issued++;
        return token();
      },
    };
    const session = withSession(send, credentials);
    const responses = await Promise.all(Array.from({ length: 12 }, () => session(GET)));
    expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(issued).toBe(6);
  });
});

describe('a renewal', () => {
  function expiring() {
    let current = 'Bearer old';
    const renewals: string[] = [];
    const done = createGate();
    const credentials: Credentials = {
      scheme: 'bearer',
      authorization: async () => current,
      renew: async (rejected) => {
        renewals.push(rejected);
        await done.promise;
        current = 'Bearer new';
        return current;
      },
    };
    return { credentials, renewals, done };
  }

  it('happens once for simultaneous requests, and each request is repeated once', async () => {
    const { credentials, renewals, done } = expiring();
    const { send, seen } = createService(() => 'Bearer new');
    const session = withSession(send, credentials);
    const all = Promise.all([session(GET), session(GET), session(GET)]);
    done.resolve();
    expect((await all).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(renewals).toEqual(['Bearer old']);
    expect(seen.filter((value) => value === 'Bearer new')).toHaveLength(3);
    await session(GET);
    expect(renewals).toHaveLength(1);
  });

  it('happens once, also for a request whose 401 arrives after it', async () => {
    const { credentials, renewals, done } = expiring();
    done.resolve();
    const late = createGate();
    const { send } = createService(() => 'Bearer new');
    const session = withSession(async (request) => {
      if (request.path === '/late' && request.headers?.authorization === 'Bearer old') await late.promise;
      return send(request);
    }, credentials);
    const slow = session({ ...GET, path: '/late' });
    await session(GET);
    late.resolve();
    expect(await slow).toMatchObject({ status: 200 });
    expect(renewals).toHaveLength(1);
  });

  it('is not repeated if the service rejects the new token', async () => {
    const { credentials, renewals, done } = expiring();
    done.resolve();
    const { send, seen } = createService(() => 'Bearer other');
    expect(await withSession(send, credentials)(GET)).toMatchObject({ status: 401 });
    expect([renewals.length, seen.length]).toEqual([1, 2]);
  });

  it('rejects every request that needs it if it fails', async () => {
    const credentials: Credentials = {
      scheme: 'bearer',
      authorization: async () => 'Bearer old',
      renew: async () => {
        throw new Error('no secret at hand');
      },
    };
    const session = withSession(createService(() => 'x').send, credentials);
    await Promise.all(
      [GET, GET].map((request) => expect(session(request)).rejects.toThrow('no secret at hand')),
    );
  });

  it('continues after the abort of a request that waits for it', async () => {
    const { credentials, done } = expiring();
    const { send } = createService(() => 'Bearer new');
    const session = withSession(send, credentials);
    const controller = new AbortController();
    const aborted = session({ ...GET, signal: controller.signal });
    const other = session(GET);
    await Promise.resolve();
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    done.resolve();
    expect(await other).toMatchObject({ status: 200 });
  });
});

describe('a token that another process saved', () => {
  /** Creates credentials whose `reload` and `renew` return these values, and records the calls. */
  function createCredentials(reloaded: string | undefined, renewed: string | undefined) {
    const calls: string[] = [];
    let current = 'Bearer old';
    const give = (what: string, value: string | undefined) => async (rejected: string) => {
      calls.push(`${what} for ${rejected}`);
      current = value ?? current;
      return value;
    };
    const credentials: Credentials = {
      scheme: 'bearer',
      authorization: async () => current,
      reload: give('reload', reloaded),
      renew: give('renew', renewed),
      accepted: async (value) => void calls.push(`accepted ${value}`),
    };
    return { credentials, calls };
  }

  it.each([
    ['is enough where it is good', 'Bearer 1', 'Bearer 2', 'Bearer 1', ['reload', 'accepted Bearer 1']],
    [
      'is renewed where it is not',
      'Bearer 1',
      'Bearer 2',
      'Bearer 2',
      ['reload', 'renew', 'accepted Bearer 2'],
    ],
    [
      'is renewed where there is none',
      undefined,
      'Bearer 2',
      'Bearer 2',
      ['reload', 'renew', 'accepted Bearer 2'],
    ],
    ['is not shared where nothing is good', 'Bearer 1', 'Bearer 2', 'Bearer 3', ['reload', 'renew']],
  ])('%s', async (_, reloaded, renewed, good, steps) => {
    const { credentials, calls } = createCredentials(reloaded, renewed);
    const response = await withSession(createService(() => good).send, credentials)(GET);
    expect(response.status).toBe(steps.at(-1)?.startsWith('accepted') ? 200 : 401);
    expect(calls).toEqual(steps.map((step) => (step.startsWith('re') ? `${step} for Bearer old` : step)));
  });

  it('may be missing: after one renewal, a network error rejects only one request', async () => {
    const { credentials, calls } = createCredentials(undefined, 'Bearer new');
    const { send } = createService(() => 'Bearer new');
    let faults = 0;
    const renewed = createGate();
    const session = withSession(async (request) => {
      const isNew = request.headers?.authorization === 'Bearer new';
      // The service rejects the second request while the first request uses the new credentials.
      if (request.path === '/late' && !isNew) await renewed.promise;
      if (!isNew || faults++ > 0) return send(request);
      renewed.resolve();
      await new Promise(setImmediate);
      throw new Error('cut');
    }, credentials);
    const late = { ...GET, path: '/late' };
    const [first, second] = await Promise.allSettled([session(GET), session(late)]);
    expect(first).toMatchObject({ status: 'rejected', reason: new Error('cut') });
    expect(second).toMatchObject({ status: 'fulfilled', value: { status: 200 } });
    expect(calls).toEqual(['reload for Bearer old', 'renew for Bearer old']);
    await expect(session(GET)).resolves.toMatchObject({ status: 200 });
  });
});

describe('an abort', () => {
  it.each(['before', 'while the credentials are got'])('ends a request: %s', async (when) => {
    const controller = new AbortController();
    const { send, seen } = createService(() => 'x');
    const credentials: Credentials = { scheme: 'bearer', authorization: () => new Promise(() => {}) };
    if (when === 'before') controller.abort(new Error('enough'));
    const sent = withSession(send, credentials)({ ...GET, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    expect(seen).toEqual([]);
  });
});

it('repeats a request at most 100 times, although each token is new', async () => {
  let issued = 0;
  const { send, seen } = createService(() => 'none');
  const credentials: Credentials = { scheme: 'bearer', authorization: async () => `Bearer ${issued++}` };
  expect(await withSession(send, credentials)(GET)).toMatchObject({ status: 401 });
  expect(seen).toHaveLength(101);
});

it('registers the sent credentials as a secret, so that redactText hides them', async () => {
  const credentials: Credentials = { scheme: 'basic', authorization: async () => 'Basic key-of-a-session' };
  await withSession(createService(() => 'x').send, credentials)(GET);
  expect(redactText('sent key-of-a-session')).toBe('sent [hidden]');
});
