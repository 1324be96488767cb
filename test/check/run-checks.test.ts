import { describe, expect, it } from 'vitest';
import { MAX_REQUESTS } from '../../src/check/probe/recorder.js';
import { opac } from '../cli/run-in-process.js';
import { sendJson, serve } from '../client/server.js';
import { checkMuseum, listDeviations, openMuseum } from './check-museum.js';

describe('runChecks with a healthy museum', { timeout: 30_000 }, () => {
  it.each(['anonymous', 'authorized'] as const)(
    'passes or skips each check, with a reason, for %s users',
    async (access) => {
      const run = await checkMuseum(await openMuseum({ access }), access);
      expect(listDeviations(run)).toEqual([]);
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

  it('sends fewer requests than the limit, all with GET, and reports their number', async () => {
    const museum = await openMuseum({ access: 'authorized' });
    const { report } = await checkMuseum(museum, 'authorized');
    expect(report.requests).toBe(museum.requests.length);
    expect(report.requests).toBeLessThan(MAX_REQUESTS);
    expect(new Set(museum.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
  });

  it('returns the same verdicts in the same order in a second run', async () => {
    const museum = await openMuseum();
    const runs = [await checkMuseum(museum, 'anonymous'), await checkMuseum(museum, 'anonymous')];
    const [one, other] = runs.map(({ report }) =>
      report.checks.map(({ id, verdict, reason }) => [id, verdict, reason]),
    );
    expect(one).toEqual(other);
  });

  it('reports each result in the order of the report', async () => {
    const reported: string[] = [];
    const { report } = await checkMuseum(await openMuseum(), 'anonymous', {
      onResult: ({ id }) => reported.push(id),
    });
    expect(reported).toEqual(report.checks.map(({ id }) => id));
  });
});

describe('runChecks with a failing deployment', { timeout: 30_000 }, () => {
  it('fails the first check and skips all others if the deployment refuses the credentials', async () => {
    const run = await checkMuseum(await openMuseum({ access: 'authorized' }), 'anonymous');
    expect(run.error?.kind).toBe('auth');
    expect(run.report.ended).toBe('unauthorized');
    expect(listDeviations(run)).toEqual(['access.works fail']);
    expect(run.report.summary.skip).toBe(run.report.checks.length - 1);
  });

  it('fails only the first check if the deployment is not reachable', async () => {
    const museum = await openMuseum();
    await museum.close();
    const run = await checkMuseum(museum, 'anonymous');
    expect(run.error?.kind).toBe('deployment');
    expect(run.report.ended).toBe('unreachable');
    expect(listDeviations(run)).toEqual(['access.works fail']);
  });

  it('fails one check and skips the rest if the deployment stops during the run', async () => {
    const museum = await openMuseum();
    const run = await checkMuseum(museum, 'anonymous', {
      onResult: ({ id }) => {
        if (id === 'endpoint.colors.list') void museum.close();
      },
    });
    expect(run.report.ended).toBe('unreachable');
    expect(listDeviations(run)).toHaveLength(1);
    expect(
      run.report.checks.filter(({ reason }) => reason?.includes('does not respond')).length,
    ).toBeGreaterThan(10);
  });

  it('fails no check if the run is interrupted', async () => {
    const interruption = new AbortController();
    const run = await checkMuseum(await openMuseum(), 'anonymous', {
      signal: interruption.signal,
      onResult: () => interruption.abort(),
    });
    expect(run.error?.kind).toBe('interrupted');
    expect(run.report.ended).toBe('interrupted');
    expect(listDeviations(run)).toEqual([]);
  });

  it.each([
    ['..', /ids that can be used in a URL path\n +received invalid value "\.\." for facetId/],
    ['\ud800', /^pass {2}facets\.alone/],
  ])('reports the result for the facet id %j without an internal error', async (facetId, output) => {
    const facet = { facetId, facetType: 'text', facetLabelValues: [{ label: 'a', value: 1 }] };
    const { url } = await serve(({ url: path }, response) =>
      sendJson(
        response,
        path?.includes('/facets/')
          ? facet
          : { totalObjects: 1, objects: [], facetsCollection: { facets: [facet] } },
      ),
    );
    const environment = { OPAC_BASE_URL: url, OPAC_BASIC_KEY: 'key-of-museum', NO_COLOR: '1' };
    const { stdout } = await opac(['check', '--only', 'facets.alone', '--retries', '0'], { environment });
    expect(stdout).toMatch(output);
  });
});
