import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { getJson, listOf } from './requests.js';

const SAMPLE = fileURLToPath(new URL('../fixtures/opacobjects-detail.json', import.meta.url));

let folder: string;
let museum: Museum | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-mock-'));
});
afterEach(async () => {
  await museum?.close();
  museum = undefined;
  await rm(folder, { recursive: true });
});

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const OBJECT = '{"opacObjectId":"7", "objectSearchScore":1.0, "extra":{"kept":[1.50,"é"]}}';
const PERSON =
  '{"opacPersonId":8,"opacPersonFieldSets":[{"identifier":"name","opacPersonFields":[{"value":"Ann"}]}]}';

describe('the option data', () => {
  it('finds the kind of a record by its id key, and returns its text unchanged', async () => {
    museum = await startMuseum({
      data: [
        await file('a.ndjson', `\uFEFF${OBJECT}\r\n\n`),
        await file('b.ndjson.gz', gzipSync(`${PERSON}\n{"opacVenueId":"9"}`)),
      ],
    });
    const response = await fetch(`${museum.url}/api/v3/opacobjects/7`);
    expect(await response.text()).toBe(OBJECT);
    expect((await getJson(museum, '/opacrecords')).body).toEqual({
      opacRecords: [
        { recordType: 'object', opacObjectId: '7' },
        { recordType: 'person', opacPersonId: 8 },
        { recordType: 'venue', opacVenueId: '9' },
      ],
      totalRecords: 3,
    });
    expect(listOf((await getJson(museum, '/opacpersons?query=name:ann')).body)).toEqual([
      { opacPersonId: 8 },
    ]);
  });

  it('accepts a captured list response, and derives collections, facets and views from it', async () => {
    museum = await startMuseum({ data: [SAMPLE] });
    const { body } = await getJson(museum, '/opacobjects/192938');
    expect(body).toHaveProperty('opacObjectFieldSets');
    const found = await getJson(museum, '/opacobjects?query=maker_name:"Leopold Blaschka" AND jellyfish*');
    expect(found.body.totalObjects ?? 0).toBe(0);
    expect(
      (await getJson(museum, '/opacobjects?query=external_object_id:("192938")')).body.totalObjects,
    ).toBe(1);
    expect((await getJson(museum, '/opaccollections')).body).toMatchObject({
      opacCollections: [{ opacCollectionId: '7' }],
    });
    expect((await getJson(museum, '/opacobjects/facets/color')).body.totalLabelValues).toBeGreaterThan(0);
    expect((await getJson(museum, '/highlights')).body).toEqual({ highlights: [], totalHighlights: 0 });
    const views = listOf((await getJson(museum, '/opacobjects/views')).body);
    expect(JSON.stringify(views)).toContain('"identifier":"user_sym_70"');
  });

  it.each([
    ['invalid JSON', '{"opacObjectId":"1"}\n{"opacObjectId":}', 'line 2'],
    ['no id', '{"opacObjectId":"1"}\n\n{"id":"1"}', 'line 3'],
    ['a string without an end', '{"opacObjectId":"1"}\n{"opacObjectId":"2\n{"opacObjectId":"3"}', 'line 2'],
    ['an array instead of an object', '{"opacObjectId":"1"}\n[1]', 'line 2'],
    ['no id in a list', '{"opacObjects":[{"opacObjectId":"1"},{}]}', 'line 1'],
  ])('rejects an invalid record and reports its line: %s', async (_, content, place) => {
    const path = await file('bad.ndjson', content);
    await expect(startMuseum({ data: [path] })).rejects.toThrow(`invalid record in "${path}", ${place}`);
  });

  it('accepts a compressed array with a record that is longer than one chunk', async () => {
    const long = `{"opacObjectId":"2","opacObjectFieldSets":[{"identifier":"name","opacObjectFields":[{"value":"${'é{"'
      .replaceAll('"', '\\"')
      .repeat(600_000)} end"}]}]}`;
    museum = await startMuseum({
      data: [await file('array.json.gz', gzipSync(`[\n${OBJECT},\n${long},\n${PERSON}]\n`))],
    });
    expect(await (await fetch(`${museum.url}/api/v3/opacobjects/2`)).text()).toBe(long);
    expect((await getJson(museum, '/opacobjects?query=name:end')).body.totalObjects).toBe(1);
    expect((await getJson(museum, '/opacrecords?limit=0')).body).toEqual({ totalRecords: 3 });
  });

  it('searches, counts and sorts records like the same records of the built-in museum', async () => {
    museum = await startMuseum({ hasStubs: false, maxPageSize: 1000 });
    const { url } = museum;
    const ask = async (path: string) =>
      (await (await fetch(`${museum?.url}/api/v3${path}`)).text()).replaceAll(museum?.url ?? '', '');
    const kinds = ['objects', 'persons', 'venues'];
    const lines: string[] = [];
    for (const kind of kinds) {
      const { body } = await getJson(museum, `/opac${kind}?limit=1000`);
      lines.push(...listOf(body).map((record) => JSON.stringify(record).replaceAll(url, '')));
    }
    const paths = [
      ...kinds.flatMap((kind) => [
        `/opac${kind}?facetedResults=true&limit=3`,
        `/opac${kind}/relationships`,
        `/opac${kind}/views`,
      ]),
      '/opacobjects?query=māra OR (NOT wax AND "unfinished study")&sort=maker_name&direction=desc',
      '/opacobjects?query=name:"glass model*" blaschka&limit=1000',
      '/opacobjects?query=brief_desc:""&hasImages=true&sort=production_date&limit=1000',
      '/opacobjects?query=collections:("2","3")&facet=color:Teal&limit=1000',
      '/opacobjects?facet=production_date:1850-1899&limit=1000',
      '/opacpersons?query=leop*&sort=name&limit=1000',
      '/opacrecords?query=external_object_id:("20033","20044")&sort=name',
      '/opacrecords/facets/recordType',
      '/opacrecords/imagelabels',
      '/opacpersons/authorities/birth_place',
      '/opacobjects/20022',
    ];
    const expected = [];
    for (const path of paths) expected.push(await ask(path));
    await museum.close();
    museum = await startMuseum({
      hasStubs: false,
      maxPageSize: 1000,
      data: [await file('all.ndjson', lines.join('\n'))],
    });
    for (const [n, path] of paths.entries()) expect(await ask(path), path).toBe(expected[n]);
  });

  it('rejects an incomplete compressed file', async () => {
    const complete = gzipSync(Array.from({ length: 999 }, (_, n) => `{"opacObjectId":"${n}"}`).join('\n'));
    const path = await file('cut.ndjson.gz', complete.subarray(0, complete.length / 2));
    await expect(startMuseum({ data: [path] })).rejects.toThrow(
      `cannot read "${path}": the compressed file is incomplete`,
    );
  });

  it('rejects a missing file', async () => {
    await expect(startMuseum({ data: [join(folder, 'none.ndjson')] })).rejects.toThrow('cannot read');
  });
});
