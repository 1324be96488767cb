import { describe, expect, it } from 'vitest';
import { MAX_REQUESTS } from '../../src/check/probe/recorder.js';
import { opac } from '../cli/run-in-process.js';
import { json, serve } from '../client/server.js';
import { checkMuseum, deviating, openMuseum } from './check-museum.js';

describe('against a healthy museum', { timeout: 30_000 }, () => {
  it.each(['anonymous', 'authorized'] as const)(
    '%s, every check passes or says why it is skipped',
    async (access) => {
      const run = await checkMuseum(await openMuseum({ access }), access);
      expect(deviating(run)).toEqual([]);
      const skipped = run.report.checks.filter(
        ({ id, verdict }) => verdict === 'skip' && !id.startsWith('baseline.'),
      );
      expect(skipped.every(({ reason }) => reason)).toBe(true);
      expect(skipped.map(({ id }) => id)).toEqual([
        ...(access === 'anonymous' ? ['access.none', 'access.token'] : []),
        'expected.min',
        'expected.fields',
      ]);
      expect(run.report.ended).toBe('finished');
    },
  );

  it('sends as many requests as it says, and fewer than a hundred', async () => {
    const museum = await openMuseum({ access: 'authorized' });
    const { report } = await checkMuseum(museum, 'authorized');
    expect(report.requests).toBe(museum.requests.length);
    expect(report.requests).toBeLessThan(MAX_REQUESTS);
    expect(new Set(museum.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('gives the same verdicts in the same order again', async () => {
    const museum = await openMuseum();
    const runs = [await checkMuseum(museum, 'anonymous'), await checkMuseum(museum, 'anonymous')];
    const [one, other] = runs.map(({ report }) =>
      report.checks.map(({ id, verdict, reason }) => [id, verdict, reason]),
    );
    expect(one).toEqual(other);
  });

  it('tells each result in the order of the report', async () => {
    const told: string[] = [];
    const { report } = await checkMuseum(await openMuseum(), 'anonymous', {
      onResult: ({ id }) => told.push(id),
    });
    expect(told).toEqual(report.checks.map(({ id }) => id));
  });
});

describe('a deployment that cannot be checked', { timeout: 30_000 }, () => {
  it('refuses the credentials: everything is skipped but the first', async () => {
    const run = await checkMuseum(await openMuseum({ access: 'authorized' }), 'anonymous');
    expect(run.error?.kind).toBe('auth');
    expect(run.report.ended).toBe('unauthorized');
    expect(deviating(run)).toEqual(['access.works fail']);
    expect(run.report.summary.skip).toBe(run.report.checks.length - 1);
  });

  it('is not there', async () => {
    const museum = await openMuseum();
    await museum.close();
    const run = await checkMuseum(museum, 'anonymous');
    expect(run.error?.kind).toBe('deployment');
    expect(run.report.ended).toBe('unreachable');
    expect(deviating(run)).toEqual(['access.works fail']);
  });

  it('dies in the middle: one failure, and the rest is skipped with that reason', async () => {
    const museum = await openMuseum();
    const run = await checkMuseum(museum, 'anonymous', {
      onResult: ({ id }) => {
        if (id === 'endpoint.colors.list') void museum.close();
      },
    });
    expect(run.report.ended).toBe('unreachable');
    expect(deviating(run)).toHaveLength(1);
    expect(
      run.report.checks.filter(({ reason }) => reason?.includes('does not respond')).length,
    ).toBeGreaterThan(10);
  });

  it('is left when the run is interrupted', async () => {
    const interruption = new AbortController();
    const run = await checkMuseum(await openMuseum(), 'anonymous', {
      signal: interruption.signal,
      onResult: () => interruption.abort(),
    });
    expect(run.error?.kind).toBe('interrupted');
    expect(run.report.ended).toBe('interrupted');
    expect(deviating(run)).toEqual([]);
  });

  it.each([
    ['..', /ids that can be used in a URL path\n +received invalid value "\.\." for facetId/],
    ['\ud800', /^pass {2}facets\.alone/],
  ])('names a facet %j, which is no fault of opac', async (facetId, said) => {
    const facet = { facetId, facetType: 'text', facetLabelValues: [{ label: 'a', value: 1 }] };
    const { url } = await serve(({ url: path }, response) =>
      json(
        response,
        path?.includes('/facets/')
          ? facet
          : { totalObjects: 1, objects: [], facetsCollection: { facets: [facet] } },
      ),
    );
    const environment = { OPAC_BASE_URL: url, OPAC_BASIC_KEY: 'key-of-museum', NO_COLOR: '1' };
    const { stdout } = await opac(['check', '--only', 'facets.alone', '--retries', '0'], { environment });
    expect(stdout).toMatch(said);
  });
});
