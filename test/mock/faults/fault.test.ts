import { afterEach, describe, expect, it } from 'vitest';
import { FAULT_FORMS } from '../../../src/mock/faults/fault.js';
import {
  checkFault,
  type Fault,
  type Museum,
  type MuseumOptions,
  startMuseum,
} from '../../../src/mock/index.js';

let museum: Museum | undefined;
afterEach(() => museum?.close());

async function open(options: MuseumOptions): Promise<string> {
  museum = await startMuseum(options);
  return `${museum.url}/api/v3/opacobjects?view=detail`;
}

describe('a fault', () => {
  it.each<[Fault, number, string, string]>([
    [{ kind: 'status', status: 503 }, 503, 'application/json;charset=UTF-8', '{"message":"Status 503"}'],
    [{ kind: 'status', status: 500, body: '{}' }, 500, 'application/json;charset=UTF-8', '{}'],
    [{ kind: 'challenge' }, 202, 'text/html;charset=UTF-8', 'Checking your browser'],
    [{ kind: 'forbidden' }, 403, 'text/html;charset=UTF-8', '403 Forbidden'],
    [{ kind: 'html' }, 200, 'text/html;charset=UTF-8', 'Welcome'],
    [
      { kind: 'patched', set: { totalObjects: 'many' }, drop: ['opacObjects'] },
      200,
      'application/json;charset=UTF-8',
      '{"totalObjects":"many"}',
    ],
    [{ kind: 'slow-start', pause: 1 }, 200, 'application/json;charset=UTF-8', '"totalObjects":163}'],
  ])('sets the status, the content type and the body: %j', async (fault, status, type, body) => {
    const response = await fetch(await open({ faults: [fault] }));
    expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
    expect(await response.text()).toContain(body);
    expect(response.headers.get('x-amzn-waf-action')).toBe(fault.kind === 'challenge' ? 'challenge' : null);
  });

  it('redirects to its location', async () => {
    const url = await open({ faults: [{ kind: 'redirect', location: 'http://127.0.0.1:9/' }] });
    const response = await fetch(url, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, 'http://127.0.0.1:9/']);
  });

  it('sends Retry-After in seconds or as a date', async () => {
    const status = { kind: 'status', status: 429 } as const;
    const url = await open({
      faults: [
        { ...status, first: 1, retryAfter: 'seconds', retryAfterSeconds: 0 },
        { ...status, retryAfter: 'date' },
      ],
    });
    const before = Date.now();
    expect((await fetch(url)).headers.get('retry-after')).toBe('0');
    const date = Date.parse((await fetch(url)).headers.get('retry-after') ?? '');
    // The date has no fractions of a second, so the test allows a difference of 1 second.
    expect(date).toBeGreaterThan(before - 1);
    expect(date).toBeLessThanOrEqual(Date.now() + 1000);
  });

  it.each(['cut-before', 'cut-body'] as const)('ends the connection with %s', async (kind) => {
    const url = await open({ faults: [{ kind }] });
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow(
      kind === 'cut-before' ? 'fetch failed' : 'terminated',
    );
    expect(museum?.requests[0]?.status).toBe(kind === 'cut-before' ? 0 : 200);
  });

  it('sends incomplete JSON in a complete response with truncated', async () => {
    const text = await (await fetch(await open({ faults: [{ kind: 'truncated' }] }))).text();
    expect(text.length).toBeGreaterThan(1000);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  it('sends the first part of the body with stall, and nothing more until the museum closes', async () => {
    const response = await fetch(await open({ faults: [{ kind: 'stall' }] }));
    const reader = response.body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(1000);
    const rest = (async () => {
      for (;;) if ((await reader?.read())?.done) return;
    })();
    await museum?.close();
    await expect(rest).rejects.toThrow('terminated');
  });
});

describe('the conditions of a fault', () => {
  it.each<[string, Fault, string]>([
    ['every third request', { kind: 'html', every: 3 }, '..x..x..'],
    ['the first two requests', { kind: 'html', first: 2 }, 'xx......'],
    ['all requests after the first two', { kind: 'html', after: 2 }, '..xxxxxx'],
    ['three requests after the first two', { kind: 'forbidden', after: 2, count: 3 }, '..xxx...'],
    ['no requests of other endpoints', { kind: 'html', on: 'persons.search', first: 1 }, '........'],
    ['the requests of several nouns', { kind: 'html', on: ['venues', 'objects'], first: 1 }, 'x.......'],
  ])('select %s', async (_, fault, expected) => {
    const url = await open({ faults: [fault] });
    let seen = '';
    for (const _request of expected) {
      const type = (await fetch(url)).headers.get('content-type') ?? '';
      seen += type.startsWith('text/html') ? 'x' : '.';
    }
    expect(seen).toBe(expected);
  });

  it('exclude OAuth requests by default', async () => {
    await open({ faults: [{ kind: 'html' }] });
    const { status } = await fetch(`${museum?.url}/api/v3/oauth/authorize`);
    expect(status).toBe(400);
  });
});

it('lists kinds of faults with their required settings in FAULT_FORMS', () => {
  expect(FAULT_FORMS).toEqual(
    expect.arrayContaining(['status=<status>', 'cut-body', 'ends-early=<at>', 'window=<size>', 'drip']),
  );
});

describe('checkFault', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['of an unknown kind', { kind: 'stal' }, 'unknown fault "stal"'],
    ['without a kind', {}, 'unknown fault "undefined"'],
    ['named like a property of all objects', { kind: 'constructor' }, 'unknown fault "constructor"'],
    ['with an unknown setting', { kind: 'html', evry: 1 }, 'unknown setting "evry" of fault html'],
    [
      'with a setting of another fault',
      { kind: 'html', location: '/' },
      'unknown setting "location" of fault html',
    ],
    ['without a required setting', { kind: 'redirect' }, 'missing setting "location" of fault redirect'],
    [
      'with a wrong value',
      { kind: 'status', status: 99 },
      'invalid value "99" for setting "status" of fault status',
    ],
    [
      'that affects no request',
      { kind: 'html', every: 0 },
      'invalid value "0" for setting "every" of fault html',
    ],
  ])('refuses a fault %s', (_, value, message) => {
    expect(() => checkFault(value)).toThrow(message);
  });

  it('also checks the faults of startMuseum', async () => {
    const fault = 'window=100' as unknown as Fault;
    const museum = await startMuseum();
    const port = Number(new URL(museum.url).port);
    await museum.close();
    await expect(startMuseum({ port, faults: [fault] })).rejects.toThrow('unknown fault');
    // If the museum above listened, the port would be in use.
    await (await startMuseum({ port })).close();
  });

  it('accepts one name in place of a list of names', async () => {
    const fault = checkFault({ kind: 'patched', drop: 'opacObjects', on: 'objects' });
    const body = await (await fetch(await open({ faults: [fault] }))).text();
    expect(body).toBe('{"totalObjects":163}');
  });
});
