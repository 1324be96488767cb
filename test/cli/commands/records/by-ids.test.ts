/** Records by lists of ids: opac sends several requests at once, keeps the order, and reports every id that was not found. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryFolder } from '../../../auth/temporary-folder.js';
import { sendJson, serve } from '../../../client/server.js';
import { splitLines } from '../../../e2e/run-against-museum.js';
import { opac } from '../../run-in-process.js';

/**
 * Serves objects with ids below 1,000, by id and by list, and counts simultaneous requests. Every second response is slower.
 * The service responds only when no more requests arrive, so that the count does not depend on the speed of the machine.
 */
async function slowObjects() {
  let open = 0;
  let timer: NodeJS.Timeout | undefined;
  const waiting: (() => void)[] = [];
  const stats = { mostAtOnce: 0, requests: 0, ids: [] as string[] };
  const { url } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://museum');
    stats.mostAtOnce = Math.max(stats.mostAtOnce, ++open);
    stats.requests++;
    const listed = [...(searchParams.get('query') ?? '').matchAll(/"(\d+)"/g)].map(([, id = '']) => id);
    const id = pathname.split('/').at(-1) ?? '';
    const respond = () => {
      open--;
      if (pathname.endsWith('/opacobjects')) {
        const found = listed.filter((each) => Number(each) < 1000 && searchParams.get('offset') === '0');
        stats.ids.push(...found);
        const opacObjects = found.map((opacObjectId) => ({ opacObjectId }));
        sendJson(response, { opacObjects, totalObjects: opacObjects.length });
      } else if (Number(id) < 1000) sendJson(response, { opacObjectId: id });
      else sendJson(response, { message: `Object with ID : ${id} does not exist` }, 404);
    };
    const delay = (stats.requests % 2) * 8;
    waiting.push(() => setTimeout(respond, delay));
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const start of waiting.splice(0)) start();
    }, 20);
  });
  return { stats, environment: { OPAC_BASE_URL: url } };
}

const ids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => String(from + n));

describe('get', () => {
  it('reads ids from stdin, a file and arguments, sends six requests at once, keeps the order', async () => {
    const { stats, environment } = await slowObjects();
    const file = join(await createTemporaryFolder(), 'ids.txt');
    await writeFile(file, `\uFEFF${ids(500, 530).join('\r\n')}\r\n\r\n501\n`);
    const expected = [...ids(700, 730).reverse(), '3', ...ids(500, 530)];
    const { code, stdout } = await opac(['objects', 'get', '-', '3', `@${file}`, '-f', 'ids'], {
      environment,
      stdin: ids(700, 730).reverse().join('\n'),
    });
    expect({ code, ids: splitLines(stdout), most: stats.mostAtOnce }).toEqual({
      code: 0,
      ids: expected,
      most: 6,
    });
  });

  it('shows its progress only on a terminal', async () => {
    const { environment } = await slowObjects();
    const get = (columns?: number) =>
      opac(['objects', 'get', ...ids(0, 101), '-f', 'csv'], { environment, ...(columns && { columns }) });
    expect((await get(120)).stderr).toContain('101');
    expect((await get()).stderr).toBe('');
  });

  it('reports every id that was not found, and prints the other records', async () => {
    const { environment } = await slowObjects();
    const missing = ids(1000, 1020);
    const words = ['objects', 'get', '1', ...missing, '2', '-f', 'ids', '--error-format', 'json'];
    const { code, stdout, stderr } = await opac(words, { environment });
    expect({ code, ids: splitLines(stdout) }).toEqual({ code: 3, ids: ['1', '2'] });
    expect(JSON.parse(stderr)).toMatchObject({
      message: `20 of 22 objects were not found: ${missing.join(', ')}`,
      ids: missing,
    });
  });

  it.each([
    [['@no-such-file'], '', 'file not found: "no-such-file"'],
    [['-'], '1\n..\n', 'invalid id ".."'],
  ])('refuses %j with %j on standard input', async (words, stdin, message) => {
    const { code, stderr } = await opac(['objects', 'get', ...words, '--mock'], { stdin });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('exits with 6 if the service returns another record than requested', async () => {
    const { url } = await serve((_, response) => sendJson(response, { opacObjectId: 7 }));
    const get = (ids: string) =>
      opac(`objects get ${ids} -f ids --base-url ${url}`.split(' '), {
        environment: { OPAC_BASIC_KEY: 'key-of-museum' },
      });
    expect(await get('5 6 7')).toEqual({
      code: 6,
      stdout: '7\n7\n7\n',
      stderr:
        'opac: the service returned the wrong record: 7 for 5, 7 for 6; the output contains these records\n',
    });
    expect((await get('1 2 3 4 5 6')).stderr).toContain('7 for 5, …; ');
    expect((await get('7')).stderr).toBe('');
  });

  it('prints one record without a list with --single, and refuses several ids and csv', async () => {
    const get = (...words: string[]) => opac(['objects', 'get', '--mock', '--single', ...words]);
    expect(JSON.parse((await get('20022', '-f', 'json')).stdout)).toMatchObject({ opacObjectId: '20022' });
    expect((await get('999', '-f', 'json')).stdout).toBe('');
    expect((await get('20022', '20011', '-f', 'json')).code).toBe(2);
    expect((await get('20022', '-f', 'csv')).code).toBe(2);
  });
});

describe('list --external-id', () => {
  it('requests six batches at once, keeps the order, and requests only what --limit needs', async () => {
    const { stats, environment } = await slowObjects();
    const options = { environment, stdin: ids(0, 1200).join('\n') };
    const list = (...words: string[]) =>
      opac(['objects', 'list', '--external-id', '-', '-f', 'ids', ...words], options);
    const all = await list('--all');
    expect({ code: all.code, ids: splitLines(all.stdout), most: stats.mostAtOnce }).toEqual({
      code: 0,
      ids: ids(0, 1000),
      most: 6,
    });
    stats.ids.length = 0;
    expect(splitLines((await list('--limit', '150', '--offset', '30')).stdout)).toEqual(ids(30, 180));
    expect(stats.ids).toHaveLength(200);
  });
});

describe('--columns with json', () => {
  it('prints objects with these columns, and lists for fields with several values', async () => {
    const columns = 'id,title,slug,maker_name,measurements[0],credit_line[9],image.count,label';
    const words = ['objects', 'get', '20022', '--mock', '-f', 'json', '--columns', columns];
    expect(JSON.parse((await opac(words)).stdout)).toEqual([
      {
        id: '20022',
        title: 'Unfinished study of a fern',
        slug: 'unfinished-study-of-a-fern',
        maker_name: ['Sarah Featon', 'Georgina Hetley'],
        'measurements[0]': 'sheet: 44 x 829mm',
        'credit_line[9]': null,
        'image.count': 1,
        label: ['Drawing', 'Plant', 'Bird', 'Leaf'],
      },
    ]);
  });

  it('prints properties of images and collections unchanged, and refuses an unknown column', async () => {
    const list = (line: string) => opac(line.split(' '));
    const images = 'images list --mock --limit 1 -f ndjson --columns recordId,position,labels,LARGE.width';
    expect(JSON.parse((await list(images)).stdout)).toEqual({
      recordId: '20022',
      position: 1,
      labels: expect.arrayContaining([{ label: 'Drawing', score: 93.71 }]),
      'LARGE.width': expect.stringMatching(/^\d+$/),
    });
    const collections = await list('collections list --mock -f ndjson --columns opacCollectionId');
    expect(splitLines(collections.stdout).map((line) => Object.keys(JSON.parse(line)))[0]).toEqual([
      'opacCollectionId',
    ]);
    expect((await list('objects list --mock -f json --columns id,no_such')).code).toBe(2);
  });
});

describe('get --by with the name of a column', () => {
  it.each([
    ['id', '20011'],
    ['title', 'Early wax model'],
  ])('finds the same record as list --where %s', async (field, value) => {
    const listed = await opac(['objects', 'list', '--mock', '--where', `${field}=${value}`, '-f', 'ids']);
    expect(listed).toMatchObject({ code: 0, stdout: '20011\n' });
    const got = await opac(['objects', 'get', '--mock', '--by', field, value, '-f', 'ids']);
    expect(got).toEqual({ code: 0, stdout: '20011\n', stderr: '' });
  });

  it('prints the given name of the field if no record matches', async () => {
    const { code, stderr } = await opac(['objects', 'get', '--mock', '--by', 'title', 'No such title']);
    expect(code).toBe(3);
    expect(stderr).toContain('no object has title "No such title"');
  });

  it('finds an id on a deployment without views', async () => {
    const { url } = await serve((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://museum');
      const isFound = searchParams.get('query') === 'external_object_id:("100", "101")';
      if (!pathname.endsWith('/opacobjects')) sendJson(response, { message: 'no' }, 404);
      else sendJson(response, { opacObjects: isFound ? [{ opacObjectId: '100' }] : [], totalObjects: 1 });
    });
    const { code, stdout, stderr } = await opac(['objects', 'get', '--by', 'id', '100', '101', '-f', 'ids'], {
      environment: { OPAC_BASE_URL: url },
    });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '100\n' });
    expect(stderr).toContain('1 of 2 entries in the list was not found: 101');
  });
});
