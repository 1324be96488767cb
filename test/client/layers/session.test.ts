import { describe, expect, it } from 'vitest';
import { ANONYMOUS, type Credentials } from '../../../src/client/credentials.js';
import type { HttpRequest, HttpResponse, Send } from '../../../src/client/http-request.js';
import { withSession } from '../../../src/client/layers/session.js';
import { redactText } from '../../../src/service/redact.js';
import { gate } from '../server.js';

const GET: HttpRequest = { method: 'GET', path: '/opacobjects' };

/** A service that takes one token only. */
function service(good: () => string) {
  const seen: (string | undefined)[] = [];
  const send: Send = async ({ headers }): Promise<HttpResponse> => {
    seen.push(headers?.authorization);
    const status = headers?.authorization === good() ? 200 : 401;
    return { status, headers: {}, bytes: Buffer.from('{}'), elapsed: 1 };
  };
  return { send, seen };
}

describe('credentials', () => {
  it('go with every request, beside its own headers', async () => {
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

  it('that do not exist send nothing, and 401 is the answer', async () => {
    const { send, seen } = service(() => 'x');
    expect(await withSession(send, ANONYMOUS)(GET)).toMatchObject({ status: 401 });
    expect(seen).toEqual([undefined]);
  });

  it('that cannot be renewed leave the 401 as the answer', async () => {
    const { send, seen } = service(() => 'x');
    const credentials: Credentials = { scheme: 'basic', authorization: async () => 'Basic k' };
    expect(await withSession(send, credentials)(GET)).toMatchObject({ status: 401 });
    const none: Credentials = { ...credentials, renew: async () => undefined };
    expect(await withSession(send, none)(GET)).toMatchObject({ status: 401 });
    expect(seen).toEqual(['Basic k', 'Basic k']);
  });
});

describe('a token that is good for a few requests', () => {
  it('is renewed as often as it takes, when more requests wait than it has uses', async () => {
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
    const answers = await Promise.all(Array.from({ length: 12 }, () => session(GET)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(issued).toBe(6);
  });
});

describe('a renewal', () => {
  function expiring() {
    let current = 'Bearer old';
    const renewals: string[] = [];
    const done = gate();
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

  it('is shared by everyone under way, and each request is repeated once', async () => {
    const { credentials, renewals, done } = expiring();
    const { send, seen } = service(() => 'Bearer new');
    const session = withSession(send, credentials);
    const all = Promise.all([session(GET), session(GET), session(GET)]);
    done.resolve();
    expect((await all).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(renewals).toEqual(['Bearer old']);
    expect(seen.filter((value) => value === 'Bearer new')).toHaveLength(3);
    await session(GET);
    expect(renewals).toHaveLength(1);
  });

  it('that another request has brought already is used', async () => {
    const { credentials, renewals, done } = expiring();
    done.resolve();
    const late = gate();
    const { send } = service(() => 'Bearer new');
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

  it('that does not help is not tried again', async () => {
    const { credentials, renewals, done } = expiring();
    done.resolve();
    const { send, seen } = service(() => 'Bearer other');
    expect(await withSession(send, credentials)(GET)).toMatchObject({ status: 401 });
    expect([renewals.length, seen.length]).toEqual([1, 2]);
  });

  it('that fails is the error of every request that needed it', async () => {
    const credentials: Credentials = {
      scheme: 'bearer',
      authorization: async () => 'Bearer old',
      renew: async () => {
        throw new Error('no secret at hand');
      },
    };
    const session = withSession(service(() => 'x').send, credentials);
    await Promise.all(
      [GET, GET].map((request) => expect(session(request)).rejects.toThrow('no secret at hand')),
    );
  });

  it('is not ended by the abort of one request that waits for it', async () => {
    const { credentials, done } = expiring();
    const { send } = service(() => 'Bearer new');
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

describe('what another process may know', () => {
  /** Credentials that give these values in turn, and what was asked of them. */
  function shared(reloaded: string | undefined, renewed: string | undefined) {
    const asked: string[] = [];
    let current = 'Bearer old';
    const give = (what: string, value: string | undefined) => async (rejected: string) => {
      asked.push(`${what} for ${rejected}`);
      current = value ?? current;
      return value;
    };
    const credentials: Credentials = {
      scheme: 'bearer',
      authorization: async () => current,
      reload: give('reload', reloaded),
      renew: give('renew', renewed),
      accepted: async (value) => void asked.push(`accepted ${value}`),
    };
    return { credentials, asked };
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
    const { credentials, asked } = shared(reloaded, renewed);
    const response = await withSession(service(() => good).send, credentials)(GET);
    expect(response.status).toBe(steps.at(-1)?.startsWith('accepted') ? 200 : 401);
    expect(asked).toEqual(steps.map((step) => (step.startsWith('re') ? `${step} for Bearer old` : step)));
  });

  it('is not judged by a fault of the network: that is the error of one request, and others go on', async () => {
    const { credentials, asked } = shared(undefined, 'Bearer new');
    const { send } = service(() => 'Bearer new');
    let faults = 0;
    const renewed = gate();
    const session = withSession(async (request) => {
      const isNew = request.headers?.authorization === 'Bearer new';
      // The second is rejected while the first uses the new credentials.
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
    expect(asked).toEqual(['reload for Bearer old', 'renew for Bearer old']);
    await expect(session(GET)).resolves.toMatchObject({ status: 200 });
  });
});

describe('an abort', () => {
  it.each(['before', 'while the credentials are got'])('%s ends a request', async (when) => {
    const controller = new AbortController();
    const { send, seen } = service(() => 'x');
    const credentials: Credentials = { scheme: 'bearer', authorization: () => new Promise(() => {}) };
    if (when === 'before') controller.abort(new Error('enough'));
    const sent = withSession(send, credentials)({ ...GET, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    expect(seen).toEqual([]);
  });
});

it('a request is not repeated for ever, though each credential is a new one', async () => {
  let issued = 0;
  const { send, seen } = service(() => 'none');
  const credentials: Credentials = { scheme: 'bearer', authorization: async () => `Bearer ${issued++}` };
  expect(await withSession(send, credentials)(GET)).toMatchObject({ status: 401 });
  expect(seen).toHaveLength(101);
});

it('what is sent is never shown', async () => {
  const credentials: Credentials = { scheme: 'basic', authorization: async () => 'Basic key-of-a-session' };
  await withSession(service(() => 'x').send, credentials)(GET);
  expect(redactText('sent key-of-a-session')).toBe('sent [hidden]');
});
