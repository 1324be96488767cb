import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MalformedQuery, parseQuery } from '../../src/local/search/parse-query.js';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { searchParameters } from '../../src/service/search/record-search.js';
import { nastyText } from '../nasty-text.js';
import { type Body, getJson, listOf, readAllPages } from './requests.js';

let museum: Museum;
beforeAll(async () => {
  museum = await startMuseum();
});
afterAll(() => museum.close());

interface FieldSet {
  identifier: string;
  opacObjectFields: { value: string }[];
}
const valuesOf = (record: Body, identifier: string) =>
  (record.opacObjectFieldSets as FieldSet[])
    .filter((set) => set.identifier === identifier)
    .flatMap(({ opacObjectFields }) => opacObjectFields.map(({ value }) => value));
const objects = (parameters: Record<string, string> = {}) =>
  readAllPages(museum, `/opacobjects?${new URLSearchParams({ view: 'detail', ...parameters })}`, 100);
const idsOf = (records: Body[]) => records.map(({ opacObjectId }) => opacObjectId);

describe('a query', () => {
  it.each([
    ['classification:"Ceramics/Vessels"', 19],
    ['classification:"ceramics"', 19],
    ['classification:"Ceram"', 0],
    ['classification:Ceram*', 19],
    ['classification:("Ceramics", "Photographs")', 51],
    ['classification:Ceramics OR classification:Photographs', 51],
    ['collections:"3"', 26],
    ['collections:"3" AND classification:"Ceramics"', 19],
    ['collections:"3" AND NOT classification:"Ceramics"', 7],
    ['collections:"3" classification:"Ceramics"', 19],
    ['(collections:"1" OR collections:"3") AND classification:("Ceramics" OR "Dress")', 26],
    ['highlight:"1"', 7],
    ['external_object_id:("20011", "20022", "nothing")', 2],
    ['kakahu', 'kākahu'],
    ['"glass model"', 'glass model'],
    ['no_such_field:"x"', 0],
    ['maker_name:""', 'nobody'],
  ])('finds the matching records: %s', async (query, expected) => {
    const found = await objects({ query });
    if (typeof expected === 'number') expect(found).toHaveLength(expected);
    else if (expected === 'nobody') {
      expect(found.length).toBeGreaterThan(5);
      expect(found.flatMap((record) => valuesOf(record, 'maker_name'))).toEqual([]);
    } else {
      const matching = (await objects()).filter((record) =>
        JSON.stringify(record.opacObjectFieldSets).toLowerCase().includes(expected),
      );
      expect(idsOf(found)).toEqual(idsOf(matching));
    }
  });

  it('finds unusual values by their complete text', async () => {
    let tried = 0;
    for (const field of ['name', 'brief_desc', 'inscription', 'accession_no', 'researcher_notes']) {
      for (const record of (await objects()).slice(0, 14)) {
        for (const value of valuesOf(record, field).filter((text) => text !== '')) {
          const query = `${field}:"${value.replace(/[\\"]/g, '\\$&')}"`;
          tried++;
          const found = await objects({ query });
          expect(idsOf(found), query).toContain(record.opacObjectId);
          for (const each of found)
            expect(valuesOf(each, field).join('|').toLowerCase()).toContain(value.toLowerCase());
        }
      }
    }
    expect(tried).toBeGreaterThan(40);
  });

  it.each(['"open', '(a', 'a)', 'name:', 'a AND', 'OR a', 'name:()', 'name:(a AND b)', 'a \\', ':x'])(
    'returns 400 if it is malformed: %s',
    async (query) => {
      const { status, body } = await getJson(museum, `/opacobjects?${new URLSearchParams({ query })}`);
      expect([status, typeof body.message]).toEqual([400, 'string']);
    },
  );

  it('throws MalformedQuery if it is nested too deeply', () => {
    for (const piece of ['(', 'NOT '])
      expect(() => parseQuery(`${piece.repeat(7000)}a`)).toThrow(MalformedQuery);
  });

  it('keeps any text between quotes', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        expect(parseQuery(`name:"${text.replace(/[\\"]/g, '\\$&')}"`)).toEqual({
          type: 'term',
          field: 'name',
          values: [{ text, quoted: true }],
        });
      }),
    );
  });

  it('throws no error except MalformedQuery', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', ':', '"', '(', ')', ',', ' ', '\\', 'AND', 'OR', 'NOT', 'é')),
        (parts) => {
          try {
            parseQuery(parts.join(''));
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedQuery);
          }
        },
      ),
    );
  });

  it('selects the records of one kind with recordType', async () => {
    const { body } = await getJson(museum, '/opacrecords?limit=0&query=recordType:person');
    expect(body).toEqual({ totalRecords: 43 });
  });
});

describe('sorting and other parameters', () => {
  it.each(['asc', 'desc'])('sort by a field, with records without a value last (%s)', async (direction) => {
    const values = (await objects({ sort: 'maker_name', direction })).map((record) =>
      valuesOf(record, 'maker_name')[0]?.toLowerCase(),
    );
    const present = values.filter((value) => value !== undefined);
    const sorted = present.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0));
    expect(values.slice(0, present.length)).toEqual(direction === 'asc' ? sorted : sorted.reverse());
    expect(values.length).toBe(163);
  });

  it('sort numbers by their value', async () => {
    const years = (await objects({ sort: 'acquisition_year' })).map((record) =>
      Number(valuesOf(record, 'acquisition_year')[0]),
    );
    expect(years).toEqual(years.toSorted((one, other) => one - other));
  });

  it.each([
    ['sort=nonsense', 'nonsense'],
    ['sort=name&direction=up', 'up'],
    ['limit=many', 'many'],
    ['offset=-1', '-1'],
    ['view=nonsense', 'nonsense'],
    ['facet=nonsense:x', 'nonsense'],
  ])('return 400 with the invalid value for %s', async (parameters, name) => {
    const { status, body } = await getJson(museum, `/opacobjects?${parameters}`);
    expect(status).toBe(400);
    expect(body.message).toContain(name);
  });
});

describe('a search with filters or facets', () => {
  it('returns only records with images for hasImages', async () => {
    const withImages = (await objects()).filter(
      (record) => (record.imagesCollection as { totalImages: number }).totalImages > 0,
    );
    expect(idsOf(await objects({ hasImages: 'true' }))).toEqual(idsOf(withImages));
    expect((await getJson(museum, '/opacpersons?hasImages=true')).body.totalPersons).toBe(15);
  });

  interface Facet {
    facetType: string;
    facetLabelValues: { label: string; value: number }[];
    totalLabelValues: number;
  }

  it.each([
    ['classification', 'text'],
    ['production_date', 'range'],
    ['color', 'color'],
  ])('counts in the facet %s (%s) the records that its filter finds', async (facetId, facetType) => {
    const query = new URLSearchParams({ query: 'collections:("3", "4")' });
    const { body } = await getJson(museum, `/opacobjects/facets/${facetId}?${query}`);
    const facet = body as unknown as Facet;
    expect(facet).toMatchObject({ facetId, facetType, totalLabelValues: facet.facetLabelValues.length });
    expect(facet.totalLabelValues).toBeGreaterThan(2);
    for (const { label, value } of facet.facetLabelValues.slice(0, 4)) {
      query.set('facet', `${facetId}:${label}`);
      expect((await getJson(museum, `/opacobjects?${query}`)).body.totalObjects, label).toBe(value);
    }
  });

  it('accepts several filters, and values with commas', async () => {
    const facet = 'classification:on paper, print,collections:"Pictures"';
    expect(await objects({ facet })).toHaveLength(13);
    const parameters = searchParameters({
      terms: {},
      facets: [
        { field: 'classification', value: 'on paper, print' },
        { field: 'collections', value: 'Pictures' },
      ],
    });
    expect(parameters).toEqual([['facet', facet.replaceAll('"', '')]]);
  });

  it('returns only records that match both of two filters', async () => {
    const [one, other] = ['classification:Photographs', 'production_date:1850-1899'];
    const [ones, others, common] = await Promise.all(
      [one, other, `${one},${other}`].map(async (facet) => idsOf(await objects({ facet }))),
    );
    expect(common).toEqual(ones?.filter((id) => others?.includes(id)));
    expect(common?.length).toBeGreaterThan(0);
    expect(common?.length).toBeLessThan(Math.min(ones?.length ?? 0, others?.length ?? 0));
  });

  it('finds any value that the client sends, even if it looks like another filter', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'opac-facets-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const difficult = [
      'Print, note: the end',
      '"quoted", a:b',
      'a "b", c:d',
      'back\\slash, e:f',
      '"a"',
      ', x:y',
      'x,y:"',
    ];
    const randomValues = fc
      .sample(nastyText, { numRuns: 80, seed: 12 })
      .filter((value) => value.trim() === value && value !== '' && !/\p{Cs}/u.test(value));
    expect(randomValues.length).toBeGreaterThan(30);
    const values = [...difficult, ...randomValues];
    const file = join(folder, 'records.ndjson');
    const set = (identifier: string, value: string) => ({ identifier, opacObjectFields: [{ value }] });
    const lines = values.map((value, n) =>
      JSON.stringify({
        opacObjectId: `${n}`,
        opacObjectFieldSets: [set('label', value), set('odd', `${n % 2}`)],
      }),
    );
    await writeFile(file, lines.join('\n'));
    const own = await startMuseum({ data: [file] });
    onTestFinished(() => own.close());
    for (const [n, value] of values.entries()) {
      const [[, facet] = []] = searchParameters({
        terms: {},
        facets: [
          { field: 'label', value },
          { field: 'odd', value: `${n % 2}` },
        ],
      });
      const query = new URLSearchParams({ facet: facet ?? '' });
      const same = values.flatMap((each, at) =>
        each.toLowerCase() === value.toLowerCase() && at % 2 === n % 2 ? [`${at}`] : [],
      );
      expect(idsOf(await readAllPages(own, `/opacobjects?${query}`, 100)), value).toEqual(same);
    }
  });

  it('adds the facets of the result with facetedResults', async () => {
    const { body } = await getJson(museum, '/opacobjects?facetedResults=true&query=collections:"3"&limit=1');
    const { facets, totalFacets } = body.facetsCollection as { facets: Facet[]; totalFacets: number };
    expect(facets).toHaveLength(totalFacets);
    expect(new Set(facets.map(({ facetType }) => facetType))).toEqual(new Set(['text', 'range', 'color']));
  });
});

describe('a view', () => {
  it('selects the fields of a list: only ids without a view, all fields with detail', async () => {
    const first = async (parameters: string) =>
      listOf((await getJson(museum, `/opacobjects?limit=1${parameters}`)).body)[0] as Body;
    expect(await first('')).toEqual({ opacObjectId: '20011' });
    const label = await first('&view=label');
    expect((label.opacObjectFieldSets as FieldSet[]).map(({ identifier }) => identifier)).toEqual([
      'accession_no',
      'name',
      'production_date',
      'maker_name',
    ]);
    expect(await first('&view=detail')).toEqual((await getJson(museum, '/opacobjects/20011')).body);
  });

  it('lists its fields', async () => {
    const { body } = await getJson(museum, '/opacpersons/views/advancedsearch');
    expect(body.fields).toContainEqual({ identifier: 'occupation', label: 'Occupation' });
  });
});
