/** list and get with `-f json` and `-f ndjson` print the bytes of the service, as exports do. */
import { describe, expect, it } from 'vitest';
import { serve } from '../../client/server.js';
import { splitLines } from '../../e2e/run-against-museum.js';
import { opac } from '../run-in-process.js';

/** Each text is the rest of one record, after its id. */
const HOSTILE = {
  numbers: '"a":1.0,"b":1e2,"c":-0,"d":9007199254740993,"e":12345678901234567890,"f":0.10,"g":1E+2',
  escapes: String.raw`"a":"\u00e9\/\"\\\n\ud800","b":"é","c":"\u0041"`,
  'escaped keys': String.raw`"\u0061":1,"opac\u004fbject":[1.0]`,
  'order of keys': '"10":1,"2":2,"b":3,"a":4,"1":5',
  'equal keys': '"a":1,"a":2.0,"__proto__":{"x":1.0}',
  nested:
    '"a":[[{"b":[1.0,{"c":{}}]}],[]],"opacObjectFieldSets":[{"identifier":"n","opacObjectFields":[{"value":1.50}]}]',
  spaces: '"a" : [ 1 , 2 ] , "b":{ }',
  'line breaks': '"a":\n  1.0,\r\n  "b": "c"',
};

/** Serves five records with this body, in pages of two. `wrap` creates the response of a page from its records. */
async function serveHostile(
  body: string,
  wrap = (list: string, total: number) => `{"opacObjects":[${list}],"totalObjects":${total}}`,
) {
  const record = (id: string) => `{"opacObjectId":${id},${body}}`;
  const ids = ['1', '2', '3', '4', '90071992547409931'];
  const { url } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://here');
    const offset = Number(searchParams.get('offset') ?? 0);
    const limit = Math.min(2, Number(searchParams.get('limit') ?? 2));
    const query = searchParams.get('query');
    const found = ids.filter((id) => query === null || query.includes(`"${id}"`));
    response.setHeader('content-type', 'application/json');
    if (pathname.endsWith('/views')) response.end('{"views":[]}');
    else if (pathname.endsWith('/opacobjects'))
      response.end(
        wrap(
          found
            .slice(offset, offset + limit)
            .map(record)
            .join(','),
          found.length,
        ),
      );
    else response.end(record(pathname.split('/').at(-1) ?? ''));
  });
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await opac([...argv, '--base-url', url]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  return { run, record, ids };
}

/** Removes line breaks and indentation between properties. */
const removeLineBreaks = (text: string) => text.replaceAll(/[\r\n] */g, '');

describe.each(Object.entries(HOSTILE))('a record with %s', (name, body) => {
  const isPretty = name === 'line breaks';

  it.each(['ndjson', 'json'])('has the same bytes in list and export: %s', async (format) => {
    const { run, record, ids } = await serveHostile(body);
    const listed = await run('objects', 'list', '--all', '-f', format);
    const exported = await run('objects', 'export', '-f', format);
    expect(listed).toBe(exported);
    if (format === 'ndjson' && !isPretty) expect(splitLines(listed)).toEqual(ids.map(record));
  });

  it('keeps its bytes if the response is an array after a BOM', async () => {
    const service = await serveHostile(body, (list) => `\uFEFF[${list}]`);
    const listed = await service.run('objects', 'list', '--all', '-f', 'ndjson');
    expect(listed).toBe(await service.run('objects', 'export', '-f', 'ndjson'));
    if (!isPretty) expect(splitLines(listed)).toEqual(service.ids.map(service.record));
  });

  it('keeps its bytes in get', async () => {
    const { run, record } = await serveHostile(body);
    const sent = ['3', '1'].map(record);
    const printed = await run('objects', 'get', '3', '1', '-f', 'ndjson');
    expect(isPretty ? removeLineBreaks(printed.replaceAll(' ', '')) : splitLines(printed)).toEqual(
      isPretty ? removeLineBreaks(sent.join('').replaceAll(' ', '')) : sent,
    );
    const single = await run('objects', 'get', '3', '--single', '-f', 'json');
    expect(splitLines(single)).toHaveLength(1);
  });

  it('has the same bytes in list with --external-id as with --all', async () => {
    const { run } = await serveHostile(body);
    const all = splitLines(await run('objects', 'list', '--all', '-f', 'ndjson'));
    const some = await run('objects', 'list', '--external-id', '3,1', '-f', 'ndjson', '--quiet');
    expect(splitLines(some)).toEqual([all[2], all[0]]);
  });

  it('has a string as its id with --flat and --columns', async () => {
    const { run } = await serveHostile(body);
    const flat = splitLines(await run('objects', 'list', '--all', '--flat', '-f', 'ndjson'));
    expect(flat.map((line) => JSON.parse(line).id)).toContain('90071992547409931');
    const columns = await run(
      'objects',
      'list',
      '--limit',
      '1',
      '--columns',
      'id',
      '-f',
      'ndjson',
      '--quiet',
    );
    expect(columns).toBe('{"id":"1"}\n');
  });
});

describe('an item of another list', () => {
  const ITEM = String.raw`{"n":1.0,"big":9007199254740993,"10":1,"2":2,"t":"\u00e9","a":1,"a":2}`;
  const sendAll = (body: string) =>
    serve((_, response) => response.setHeader('content-type', 'application/json').end(body));

  it.each([
    ['collections list', `{"opacCollections":[${ITEM}],"totalCollections":1}`],
    ['comments list', `{"comments":[1],"comments":[${ITEM}],"totalComments":1}`],
    ['views list objects', `[${ITEM}]`],
    ['facets list objects', `{"opacObjects":[],"totalObjects":1,"facetsCollection":{"facets":[${ITEM}]}}`],
    [
      'relationships get objects 1',
      `{"opacObjectId":1,"relationshipsCollection":{"relationships":[${ITEM}]}}`,
    ],
    ['api /opaccollections', `{"opacCollections":[${ITEM}],"totalCollections":1}`],
    ['api /things --all', `{"things":[${ITEM}],"totalThings":1}`],
  ])('keeps its bytes: %s', async (line, body) => {
    const { url } = await sendAll(body);
    const argv = [...line.split(' '), '--base-url', url, '-f'];
    expect(await opac([...argv, 'ndjson'])).toMatchObject({ code: 0, stdout: `${ITEM}\n` });
    expect((await opac([...argv, 'json'])).stdout).toBe(`[\n${ITEM}\n]\n`);
  });

  it('keeps its bytes in highlights get', async () => {
    const highlight = `{"highlightId":1.0,${ITEM.slice(1)}`;
    const { url } = await sendAll(highlight);
    const { stdout } = await opac(['highlights', 'get', '1', '-f', 'ndjson', '--base-url', url]);
    expect(stdout).toBe(`${highlight}\n`);
  });
});

describe('a record with bytes that are not UTF-8', () => {
  it('has U+FFFD instead of these bytes, in list and export', async () => {
    const body = Buffer.concat([
      Buffer.from('{"opacObjects":[{"opacObjectId":1,"n":1.0,"a":"'),
      Buffer.from([0xe9]),
      Buffer.from('"}],"totalObjects":1}'),
    ]);
    const { url } = await serve((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(request.url?.includes('offset=0') ? body : '{"opacObjects":[],"totalObjects":1}');
    });
    const argv = ['-f', 'ndjson', '--base-url', url];
    const listed = await opac(['objects', 'list', '--all', ...argv]);
    expect(listed.stdout).toBe('{"opacObjectId":1,"n":1.0,"a":"\uFFFD"}\n');
    expect((await opac(['objects', 'export', ...argv])).stdout).toBe(listed.stdout);
  });
});
