/** Runs without a user. They must not hide damaged text, replace other records, or fail forever. */
import { chmod, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { createTemporaryFolder } from '../auth/temporary-folder.js';
import { opac } from './run-in-process.js';

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
});
const at = (name: string) => join(folder, name);
const run = (line: string) => opac(line.replaceAll('%', `${folder}/`).split(' '));
const modeOf = async (name: string) => (await stat(at(name))).mode & 0o777;

describe('--quiet', () => {
  it.each(['export -o %text.csv', 'export -f csv', 'list --all -f csv'])(
    'does not hide the warning about damaged text: objects %s',
    async (words) => {
      const museum = await startMuseum({ faults: [{ kind: 'latin1' }] });
      onTestFinished(() => museum.close());
      const { code, stderr } = await run(`objects ${words} --quiet --base-url ${museum.url}`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^warning: .*UTF-8/) });
    },
  );

  it('hides the warning about changes that the export repaired', async () => {
    const museum = await startMuseum({ faults: [{ kind: 'shuffles' }] });
    onTestFinished(() => museum.close());
    const words = `objects export --page-size 20 --base-url ${museum.url} -o %all.csv --force`;
    expect((await run(words)).stderr).toContain('warning: ');
    expect(await run(`${words} --quiet`)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('an export', () => {
  it('needs --force to replace another kind or deployment, but not for records from a file', async () => {
    const museum = await startMuseum();
    onTestFinished(() => museum.close());
    await run('objects export --mock --limit 5 -o %mine.csv');
    const before = await readFile(at('mine.csv'), 'utf8');
    for (const words of ['persons export --mock', `objects export --base-url ${museum.url}`])
      expect(await run(`${words} --limit 5 -o %mine.csv`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('contains objects from the built-in museum'),
      });
    expect(await readFile(at('mine.csv'), 'utf8')).toBe(before);
    expect((await run('persons export --mock --limit 5 -o %mine.csv --force')).code).toBe(0);
    for (const name of ['monday', 'tuesday']) {
      await writeFile(at(`${name}.ndjson`), '{"opacPersonId":"1"}\n');
      expect((await run(`persons export --from %${name}.ndjson -o %mine.csv`)).code).toBe(0);
    }
  });

  it('completes after its damaged input file was repaired, with or without --resume', async () => {
    const text = (await run('objects export --mock -f ndjson')).stdout;
    const copies = Array.from({ length: 12 }, (_, n) => text.replaceAll('"opacObjectId":"', `$&${n}`));
    await writeFile(at('all.ndjson'), copies.join(''));
    const { size } = await stat(at('all.ndjson'));
    await truncate(at('all.ndjson'), size - 20);
    expect(await run('objects export --from %all.ndjson -o %all.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('1,500 records are in'),
    });
    await writeFile(at('all.ndjson'), copies.join(''));
    for (const words of ['--resume', ''])
      expect(await run(`objects export --from %all.ndjson -o %all.csv ${words}`.trim())).toMatchObject({
        code: 0,
      });
  });

  it.each(['csv', 'ndjson'])(
    'keeps the private mode of the file that it replaces, also for the partial file: .%s',
    async (kind) => {
      const name = `private.${kind}`;
      await run(`objects export --mock -o %${name}`);
      await chmod(at(name), 0o600);
      const museum = await startMuseum({ faults: [{ kind: 'status', status: 500, after: 1 }] });
      onTestFinished(() => museum.close());
      const words = `objects export --base-url ${museum.url} --page-size 20 --retries 0 -o %${name} --force`;
      expect((await run(words)).code).toBeGreaterThan(0);
      expect(await modeOf(`${name}.part`)).toBe(0o600);
      await run(`objects export --mock -o %${name} --force`);
      expect(await modeOf(name)).toBe(0o600);
    },
  );
});

describe('a mirror', () => {
  it('passes opac verify until a snapshot is damaged', async () => {
    await run('sync %mirror --mock --kinds persons,venues');
    expect((await run('verify %mirror')).stdout).toMatch(/persons.*: complete.*\n.*venues.*: complete/);
    await truncate(at('mirror/venues.ndjson.gz'), 50);
    expect((await run('verify %mirror')).code).toBe(6);
    expect((await run('verify %')).code).toBe(2);
  });

  it('keeps the permissions of its snapshots', async () => {
    await run('sync %mirror --mock --kinds persons');
    await chmod(at('mirror/persons.ndjson.gz'), 0o600);
    await run('sync %mirror --mock --kinds persons');
    expect(await modeOf('mirror/persons.ndjson.gz')).toBe(0o600);
  });
});
