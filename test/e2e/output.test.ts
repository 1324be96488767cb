/** Data in pipes and files, with the built program. All else about it: test/cli/output-files.test.ts. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ended, newFolder, opac, start, words } from './opac.js';
import { lines } from './run-against-museum.js';

const mock = (line: string, surroundings = {}) => opac(words(`${line} --mock`), surroundings);

describe('formats', () => {
  it('in a pipe are tsv unless told', async () => {
    const [told, untold] = await Promise.all([
      mock('objects list --limit 3 -f tsv --columns id,title'),
      mock('objects list --limit 3 --columns id,title'),
    ]);
    expect(untold.stdout).toBe(told.stdout);
    expect(lines(told.stdout)[0]).toBe('id\ttitle');
  });
});

describe('--output', () => {
  it('leaves the old file alone, and nothing beside it, when the disk takes no more', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'a.json'), 'old');
    const { code, stderr } = await mock('objects list --all -o a.json', { folder, largestFile: 8192 });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'opac: cannot write "a.json": the file grew too large for the file system\n',
    });
    expect(await readFile(join(folder, 'a.json'), 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.json']);
  });
});

describe('the process', () => {
  it('ends quietly when its reader goes away', async () => {
    const child = start(words('objects list --mock --all -f json'));
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { code, stderr } = await ended(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('ends with 130 when it is interrupted, and leaves no file', async () => {
    const folder = await newFolder();
    const child = start(words('objects list --mock --all -o a.csv --rate 0.1 --page-size 1 --debug'), {
      folder,
    });
    // The first line of the log is the first answer: the next request waits for its turn.
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const { code, stderr } = await ended(child);
    expect(code).toBe(130);
    expect(stderr).toContain('opac: interrupted');
    expect(await readdir(folder)).toEqual([]);
  });
});
