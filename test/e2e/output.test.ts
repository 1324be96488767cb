/** The output of the built program in pipes and files. Other tests: test/cli/output-files.test.ts. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, opac, splitCommandLine, start, waitForEnd } from './opac.js';
import { splitLines } from './run-against-museum.js';

const runMock = (line: string, surroundings = {}) => opac(splitCommandLine(`${line} --mock`), surroundings);

describe('the default format', () => {
  it('is tsv in a pipe', async () => {
    const [explicit, byDefault] = await Promise.all([
      runMock('objects list --limit 3 -f tsv --columns id,title'),
      runMock('objects list --limit 3 --columns id,title'),
    ]);
    expect(byDefault.stdout).toBe(explicit.stdout);
    expect(splitLines(explicit.stdout)[0]).toBe('id\ttitle');
  });
});

describe('--output', () => {
  it('keeps the old file and leaves no other file if the disk is full', async () => {
    const folder = await createFolder();
    await writeFile(join(folder, 'a.json'), 'old');
    const { code, stderr } = await runMock('objects list --all -o a.json', { folder, largestFile: 8192 });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'opac: cannot write "a.json": the file grew too large for the file system\n',
    });
    expect(await readFile(join(folder, 'a.json'), 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.json']);
  });
});

describe('the process', () => {
  it('exits with 0 and without a message if its reader ends', async () => {
    const child = start(splitCommandLine('objects list --mock --all -f json'));
    child.stdout?.once('data', () => child.stdout?.destroy());
    const { code, stderr } = await waitForEnd(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('exits with 130 and leaves no file if it is interrupted', async () => {
    const folder = await createFolder();
    const child = start(
      splitCommandLine('objects list --mock --all -o a.csv --rate 0.1 --page-size 1 --debug'),
      {
        folder,
      },
    );
    // The first lines of the log are about the first request. The next request must wait 10 s because of --rate.
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const { code, stderr } = await waitForEnd(child);
    expect(code).toBe(130);
    expect(stderr).toContain('opac: interrupted');
    expect(await readdir(folder)).toEqual([]);
  });
});
