/** Each museum breaks one promise. Only the checks of this promise fail or warn. */
import { describe, expect, it } from 'vitest';
import type { Expectations } from '../../src/check/samples/expectations.js';
import type { MuseumOptions } from '../../src/mock/index.js';
import { checkMuseum, listDeviations, openMuseum } from './check-museum.js';

interface Defect {
  readonly museum: MuseumOptions;
  /** The checks that fail or warn, in the order of the report. */
  readonly finds: readonly string[];
  readonly expectations?: Partial<Expectations>;
}

type Fault = NonNullable<MuseumOptions['faults']>[number];

const fault = (kind: Fault['kind'], when: Omit<Fault, 'kind'> = {}): MuseumOptions => ({
  faults: [{ kind, ...when } as Fault],
});
const authorized = (kind: Fault['kind']): MuseumOptions => ({ ...fault(kind), access: 'authorized' });

const MATRIX: Readonly<Record<string, Defect>> = {
  'access: a request without credentials is accepted': {
    museum: authorized('no-credentials-accepted'),
    finds: ['access.none fail'],
  },
  'access: any token is accepted': { museum: authorized('any-token-accepted'), finds: ['access.token fail'] },
  'access: refused with 403 instead of 401': {
    museum: authorized('refused-with-403'),
    finds: ['access.none warn', 'access.token warn'],
  },

  'endpoint: a documented path does not exist': {
    museum: fault('status', { status: 404, on: 'venues.views' } as object),
    finds: ['endpoint.venues.views fail'],
  },
  'endpoint: fails with 500': {
    museum: fault('status', { status: 500, on: 'highlights.list' } as object),
    finds: ['endpoint.highlights.list fail'],
  },
  'endpoint: a web page': {
    museum: fault('html', { on: 'colors.list' }),
    finds: ['endpoint.colors.list fail'],
  },
  'endpoint: the challenge of a firewall': {
    museum: fault('challenge', { on: 'comments.list' }),
    finds: ['endpoint.comments.list fail'],
  },
  'endpoint: truncated JSON': {
    museum: fault('truncated', { on: 'records.imagelabels' }),
    finds: ['endpoint.records.imagelabels fail'],
  },
  'endpoint: the connection is cut': {
    museum: fault('cut-before', { on: 'venues.relationships' }),
    finds: ['endpoint.venues.relationships fail'],
  },
  'endpoint: redirects to another host': {
    museum: fault('redirect', { location: 'http://127.0.0.2:9/', on: 'objects.views' } as object),
    finds: ['endpoint.objects.views fail'],
  },
  'endpoint: another record than requested': {
    museum: fault('patched', { set: { opacPersonId: '1' }, on: 'persons.get' } as object),
    finds: ['endpoint.persons.get fail'],
  },
  'endpoint: the list has another name': {
    museum: fault('patched', { drop: ['views'], set: { allViews: [] }, on: 'persons.views' } as object),
    finds: ['endpoint.persons.views warn'],
  },
  'endpoint: the total is missing': {
    museum: fault('patched', { drop: ['totalHighlights'], on: 'highlights.list' } as object),
    finds: ['endpoint.highlights.list warn'],
  },
  'endpoint: flaky': {
    museum: fault('status', { status: 503, first: 1, on: 'persons.advancedsearch' } as object),
    finds: ['endpoint.persons.advancedsearch warn'],
  },
  'endpoint: slow': {
    museum: fault('slow-start', { pause: 3000, on: 'colors.list' } as object),
    expectations: { maxLatency: 2500 },
    finds: ['latency fail'],
  },

  'paging: limit is ignored': { museum: fault('limit-ignored'), finds: ['paging.limit fail'] },
  'paging: pages are shorter than requested': {
    museum: { faults: [{ kind: 'underfills', records: 2 }] },
    finds: ['paging.limit fail'],
  },
  'paging: the cap has changed': { museum: { maxPageSize: 50 }, finds: ['paging.cap warn'] },
  'paging: offset is ignored': {
    museum: { faults: [{ kind: 'offset-ignored' }] },
    finds: ['paging.offset fail'],
  },
  'paging: offset is counted in pages': { museum: fault('offset-in-pages'), finds: ['paging.offset fail'] },
  'paging: deep offsets are refused': {
    museum: { faults: [{ kind: 'window', size: 100 }] },
    finds: ['paging.deep warn'],
  },
  'paging: the last page is repeated after the end': {
    museum: fault('last-page-repeats'),
    finds: ['paging.end fail'],
  },
  'total: wrong': {
    museum: fault('total-wrong', { on: 'objects' }),
    finds: ['total.objects fail', 'retired.object-ids warn'],
  },
  'total: larger than the number of records': {
    museum: { faults: [{ kind: 'ends-early', at: 120 }] },
    finds: ['total.objects fail', 'total.records fail'],
  },

  'records: ids of two types': { museum: fault('ids-mixed'), finds: ['records.id-type fail'] },
  'records: a single record differs from the list': {
    museum: fault('single-differs'),
    finds: ['records.single-objects fail'],
  },
  'records: recordType is missing': {
    museum: fault('record-type-missing'),
    finds: ['records.record-type fail'],
  },
  'records: a field is missing': {
    museum: fault('field-dropped'),
    expectations: { fields: new Map([['objects', ['accession_no', 'name']]]) },
    finds: ['expected.fields fail'],
  },
  'records: fewer than expected': {
    museum: {},
    expectations: { minimums: new Map([['objects', 164]]) },
    finds: ['expected.min fail'],
  },
  'records: rolesCollection of version 2': {
    museum: fault('roles-collection'),
    finds: ['retired.fields fail'],
  },
  'comments: recordType is missing': {
    museum: fault('comments-without-type'),
    finds: ['comments.fields fail'],
  },

  'search: AND is read as OR': { museum: fault('and-as-or'), finds: ['search.and fail'] },
  'search: quotes are ignored': { museum: fault('quotes-ignored'), finds: ['search.quoted fail'] },
  'search: external_object_id is ignored': {
    museum: fault('external-ids-ignored'),
    finds: ['search.external-ids fail'],
  },
  'search: collections is ignored': {
    museum: fault('collections-ignored'),
    finds: ['search.collections fail'],
  },
  'search: highlight is ignored': { museum: fault('highlight-ignored'), finds: ['search.highlight fail'] },
  'search: hasImages is ignored': {
    museum: fault('images-filter-ignored'),
    finds: ['search.has-images fail'],
  },
  'search: view is ignored': { museum: fault('view-ignored'), finds: ['search.view warn'] },
  'search: deleted records are shown': { museum: fault('deleted-shown'), finds: ['search.deleted fail'] },
  'search: sort is ignored': { museum: fault('sort-ignored'), finds: ['search.sort fail'] },
  'search: direction is ignored': { museum: fault('direction-ignored'), finds: ['search.direction fail'] },

  'facets: counts are wrong': {
    museum: fault('facet-counts-wrong', { on: 'objects' }),
    finds: ['facets.count-objects fail'],
  },
  'facets: the filter is ignored': {
    museum: fault('facet-filter-ignored', { on: 'persons' }),
    finds: ['facets.count-persons fail'],
  },
  'facets: a single facet differs from the list': {
    museum: fault('facet-counts-wrong', { on: 'objects.facet' }),
    finds: ['facets.alone fail'],
  },
  'facets: facetType is missing': {
    museum: fault('facet-type-missing', { on: 'objects' }),
    finds: ['facets.type fail'],
  },

  'relationships: the related record does not exist': {
    museum: fault('relationship-to-nowhere'),
    finds: ['relationships.exist fail'],
  },
  'relationships: one direction is missing': {
    museum: fault('one-way-relationships'),
    finds: ['relationships.both-ways fail'],
  },

  'images: not found': {
    museum: fault('status', { status: 404, every: 3, on: 'images' } as object),
    finds: ['images.load fail'],
  },
  'images: cut off': { museum: fault('cut-body', { on: 'images' }), finds: ['images.load fail'] },
  'images: a web page': { museum: fault('html', { on: 'images' }), finds: ['images.load fail'] },
  'images: another size than in the record': { museum: fault('wrong-size'), finds: ['images.size fail'] },
  'images: colours are malformed': { museum: fault('colors-malformed'), finds: ['images.colors warn'] },
  'images: labels are malformed': { museum: fault('labels-malformed'), finds: ['images.labels warn'] },
  'highlights: one derivative': { museum: fault('one-derivative'), finds: ['highlights.derivatives fail'] },

  'responses: bytes that are not UTF-8': { museum: fault('latin1'), finds: ['encoding fail'] },
  'responses: another encoding, declared in the content type (no defect)': {
    museum: fault('latin1', { declared: true } as object),
    finds: [],
  },

  'retired: a removed path still works': {
    museum: fault('retired-alive'),
    finds: ['retired.removed fail', 'retired.deprecated fail', 'retired.moved warn'],
  },
  'retired: highlights still support the parameter derivative': {
    museum: fault('derivative-obeyed'),
    finds: ['retired.derivative fail'],
  },
};

describe('opac check', { timeout: 30_000 }, () => {
  it.each(Object.entries(MATRIX))(
    'reports only the expected checks: %s',
    async (_, { museum: options, finds, expectations = {} }) => {
      const museum = await openMuseum(options);
      const run = await checkMuseum(museum, options.access, { expectations });
      expect(listDeviations(run)).toEqual(finds);
      expect(run.report.ended).toBe('finished');
      expect(run.report.requests).toBeLessThan(100);
    },
  );
});
