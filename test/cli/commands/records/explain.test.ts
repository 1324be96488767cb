import { describe, expect, it } from 'vitest';
import { json, serve } from '../../../client/server.js';
import { opac } from '../../run-in-process.js';

const ONE = {
  opacObjectId: '1',
  opacObjectFieldSets: [{ identifier: 'a', opacObjectFields: [{ value: 'x' }] }],
};

async function explained(...words: string[]) {
  const { code, stdout, stderr } = await opac([
    'objects',
    'count',
    '--explain',
    '--mock',
    ...words,
    '-f',
    'json',
  ]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return { rows: JSON.parse(stdout) };
}

async function counted(...words: string[]): Promise<number> {
  return Number((await opac(['objects', 'count', '--mock', ...words, '-f', 'csv'])).stdout.split(',').at(-1));
}

describe('count --explain', () => {
  it('counts with and without each term, and what has no value in its field', async () => {
    const search = ['wax', '--where', 'inscription=mark', '--has-images', '--collection', '1'];
    const { rows } = await explained(...search);
    const total = await counted(...search);
    expect(rows.map((row: { term: string }) => row.term)).toEqual([
      'wax',
      '--where inscription=mark',
      '--collection 1',
      '--has-images',
    ]);
    const rest = ['wax', '--has-images', '--collection', '1'];
    expect(rows[1]).toMatchObject({ with: total, without: await counted(...rest) });
    expect(rows[0]).toMatchObject({ without: await counted(...search.slice(1)), empty: null, list: null });
    expect(rows[1].empty).toBe(await counted(...rest, '--where', 'inscription='));
    expect(rows[1].empty).toBeGreaterThan(0);
  }, 20_000);

  it('says how to list the records without a value, by a command that lists them', async () => {
    const words = [
      '--where',
      'inscription=mark',
      '--facet',
      'classification=Art/Paintings',
      '--query',
      'a OR NOT b',
    ];
    const { rows } = await explained(...words);
    const [row] = rows.filter(({ empty }: { empty: number | null }) => empty);
    expect(row.list).toBe(
      "opac objects list --mock --query 'a OR NOT b' --facet classification=Art/Paintings --where inscription=",
    );
    const listed = await opac([
      ...['objects', 'list', '--mock', '--query', 'a OR NOT b', '--facet', 'classification=Art/Paintings'],
      ...['--where', 'inscription=', '--all', '-f', 'ids'],
    ]);
    expect(listed.stdout.trim().split('\n')).toHaveLength(row.empty);
    const { stderr } = await opac(['objects', 'count', '--explain', '--mock', ...words]);
    expect(stderr).toContain(`${row.empty} without a value in inscription; list them with: ${row.list}`);
  });

  it('needs a search, whose fields are known', async () => {
    const none = await opac(['objects', 'count', '--explain', '--mock']);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing to explain') });
    const unknown = await opac(['objects', 'count', '--explain', '--mock', '--where', 'inscripton=x']);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "inscription"?'),
    });
  });

  it('writes a value that begins with @ as it has to be typed', async () => {
    const words = ['--where', 'inscription=@@home', '--where', 'maker_name=x', '--facet', 'maker_name=@@a'];
    const { rows } = await explained('@@word', ...words, '--where', 'label=@@b');
    expect(rows.map((row: { term: string }) => row.term)).toEqual([
      '@@word',
      '--where inscription=@@home',
      '--where maker_name=x',
      '--where label=@@b',
      '--facet maker_name=@@a',
    ]);
    const { url } = await serve((_, response) => json(response, { opacObjects: [], totalObjects: 1 }));
    const argv = ['objects', 'count', '--explain', ...words, '-f', 'json', '--base-url', url];
    const [, second] = JSON.parse((await opac(argv)).stdout);
    expect(second.list).toBe(
      `opac objects list --base-url ${url} --where inscription=@@home --facet maker_name=@@a --where maker_name=`,
    );
  });

  it('prints a command that means the same with --exact and with words like options', async () => {
    const { url } = await serve((_, response) => json(response, { opacObjects: [ONE], totalObjects: 1 }));
    const search = ['--where', 'a=x', '--exact', '--base-url', url];
    const argv = ['objects', 'count', '--explain', ...search, '-f', 'json', '--', '-5', 'wax'];
    const row = JSON.parse((await opac(argv)).stdout).find(({ list }: { list: unknown }) => list);
    expect(row.list).toBe(`opac objects list --base-url ${url} --exact --where a= -- -5 wax`);
  });

  it('leaves out one of two equal words', async () => {
    const { rows } = await explained('wax', 'wax');
    const once = await counted('wax');
    expect(rows).toEqual([
      expect.objectContaining({ with: once, without: once }),
      expect.objectContaining({ with: once, without: once }),
    ]);
  });
});
