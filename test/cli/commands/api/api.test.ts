/** `opac api`: any GET of the service. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../e2e/opac.js';
import { splitLines } from '../../../e2e/run-against-museum.js';
import { runAgainstMuseum } from '../../run-against-museum.js';
import { opac } from '../../run-in-process.js';

describe('opac api', () => {
  it('writes the same response to a file as to standard output', async () => {
    const folder = await createFolder();
    const { stdout } = await runAgainstMuseum('api /opacobjects/20011');
    const { code } = await runAgainstMuseum(['api', '/opacobjects/20011', '-o', join(folder, 'object.json')]);
    expect(code).toBe(0);
    // The URLs of the images contain the port of the museum, which differs in each run.
    const removePort = (text: string) => text.replace(/127\.0\.0\.1:\d+/g, 'museum');
    expect(removePort(await readFile(join(folder, 'object.json'), 'utf8'))).toBe(removePort(stdout));
    expect(JSON.parse(stdout).opacObjectId).toBe('20011');
  });

  it('sends parameters without changes', async () => {
    const { requests } = await runAgainstMuseum([
      'api',
      '/opacobjects?limit=1',
      '--param',
      'query=name:"a & b=c"',
    ]);
    expect([...(requests[0]?.query ?? [])]).toEqual([
      ['limit', '1'],
      ['query', 'name:"a & b=c"'],
    ]);
  });

  it('prints every record of a search once with --all, as one array', async () => {
    const all = await runAgainstMuseum('api /opacobjects --param view=detail --all', {
      museum: { maxPageSize: 25 },
    });
    const ids = JSON.parse(all.stdout).map((record: { opacObjectId: string }) => record.opacObjectId);
    expect(new Set(ids).size).toBe(163);
    expect(ids).toHaveLength(163);
    const later = await runAgainstMuseum('api /opacobjects --param offset=100 --param limit=10 --all -f ids');
    expect(splitLines(later.stdout)).toEqual(ids.slice(100));
  });

  it('prints the complete list with --all if the endpoint has no pages', async () => {
    const { code, stdout } = await runAgainstMuseum('api /colors/css --all -f ndjson');
    expect(code).toBe(0);
    expect(splitLines(stdout)).toHaveLength(148);
    expect(JSON.parse(splitLines(stdout)[0] ?? '')).toMatchObject({ hex: 'f0f8ff' });
  });

  it('prints responses in the formats of other commands', async () => {
    const listed = await runAgainstMuseum(
      'api /opacobjects --param view=detail --param limit=2 --columns id,title -f csv',
    );
    expect(listed.stdout).toBe('id,title\n20011,Early wax model\n20022,Unfinished study of a fern\n');
    const one = await runAgainstMuseum('api /opacobjects/20011 --columns id,image.count -f tsv');
    expect(splitLines(one.stdout)[0]).toBe('id\timage.count');
    expect(splitLines((await runAgainstMuseum('api /opacvenues/views -f ids')).stdout)).toContain(
      'advancedsearch',
    );
    expect(
      JSON.parse((await runAgainstMuseum('api /opacobjects/facets/classification -f json')).stdout),
    ).toEqual([expect.objectContaining({ facetId: 'classification' })]);
  });

  it('prints status and headers on standard error with --include', async () => {
    const { stdout, stderr } = await runAgainstMuseum('api /opaccollections -i');
    expect(stderr).toMatch(/^HTTP 200\ncontent-type: application\/json/);
    expect(JSON.parse(stdout)).toHaveProperty('opacCollections');
  });

  it('refuses a retired path without --allow-retired', async () => {
    const refused = await runAgainstMuseum('api /roles');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('/roles was removed; use: opac api /opacobjects/relationships, or:');
    expect(refused.requests).toEqual([]);
    const forced = await runAgainstMuseum('api /roles --force');
    expect([forced.code, forced.requests]).toEqual([2, []]);
    const allowed = await runAgainstMuseum('api /roles --allow-retired');
    expect(allowed.requests.map(({ path }) => path)).toEqual(['/api/v3/roles']);
    expect(allowed.code).toBe(3);
  });

  it('replaces an export that has a manifest only with --force, not with --allow-retired', async () => {
    const folder = await createFolder();
    const file = join(folder, 'objects.ndjson');
    expect((await opac(['objects', 'export', '--mock', '-o', file])).code).toBe(0);
    const before = [await readFile(file, 'utf8'), (await readdir(folder)).sort()];
    const words = ['api', '/opaccollections', '--mock', '-o', file];
    expect((await opac([...words, '--allow-retired'])).code).toBe(2);
    expect([await readFile(file, 'utf8'), (await readdir(folder)).sort()]).toEqual(before);
    expect((await opac([...words, '--force'])).code).toBe(0);
    expect(await readdir(folder)).toEqual(['objects.ndjson']);
  });

  it('accepts -q for --quiet', async () => {
    const { code, stdout } = await runAgainstMuseum('api /opaccollections -q');
    expect([code, Object.keys(JSON.parse(stdout))]).toEqual([0, expect.arrayContaining(['opacCollections'])]);
  });

  it('exits with 3 if the deployment does not have the path', async () => {
    const { code, stderr } = await runAgainstMuseum('api /opacpersons/facets/nothing');
    expect(code).toBe(3);
    expect(stderr).toContain('not found: the deployment has no /opacpersons/facets/{facetId}');
  });

  it('accepts complete URLs only of the deployment in use', async () => {
    const line = ['api', 'http://127.0.0.1:1/api/v3/opaccollections', '--base-url'];
    const same = await opac([...line, 'http://127.0.0.1:1/', '--dry-run']);
    expect(same.stdout).toBe("curl -sS --compressed 'http://127.0.0.1:1/api/v3/opaccollections'\n");
    const other = await opac([...line, 'https://museum.example', '--dry-run']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('is not the deployment in use (https://museum.example)');
  });

  it.each([
    [['api', '/opacobjects', '--param', 'limit'], 'must be <key>=<value>'],
    [['api', '/opacobjects', 'x'], 'too many arguments'],
    [['api', '/opacobjects', '--all', '-i'], 'cannot be used with --all'],
    [['api', '/opacobjects/20011', '--all', '--param', 'limit=x'], 'for limit; must be an integer'],
    [['api'], 'path'],
  ])('exits with 2: %j', async (words, message) => {
    const { code, stderr } = await runAgainstMuseum(words);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
