/** `--dry-run`: nothing is sent, and what is printed asks the same when a shell runs it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { COMMANDS, split } from '../cli/dry-run/commands.js';
import { runAgainstMuseum as runInProcess } from '../cli/run-against-museum.js';
import { newFolder, opac } from './opac.js';
import { have } from './programs.js';
import { lines, outcomesByName, runAgainstMuseum } from './run-against-museum.js';

const run = promisify(execFile);
const hasCurl = have(['curl'], 'running the printed requests');

describe('with --dry-run', () => {
  it.runIf(hasCurl)('what it prints asks the same as the command', async () => {
    const outcomes = await outcomesByName(
      // Where more may be there, a command asks on until a page is empty.
      COMMANDS.filter((line) => !/250|--external-id/.test(line)).map((line) => [line] as const),
      async ([line]) => {
        const museum = await startMuseum();
        try {
          const { stdout } = await opac([...split(line), '--base-url', museum.url, '--dry-run']);
          await run('sh', ['-ec', stdout]);
          const { requests } = await runInProcess(split(line));
          return { printed: museum.requests.map(({ path }) => path), sent: requests.map(({ path }) => path) };
        } finally {
          await museum.close();
        }
      },
    );
    for (const [line, { printed, sent }] of Object.entries(outcomes)) {
      // A list continues until a page has nothing new.
      // A search asks which fields and collections there are, and if it finds nothing, for the total and what may be meant.
      const certain = sent.filter(
        (path) =>
          printed.includes(path) ||
          !/\/(views|facets\/\w+)$|\/(opaccollections|highlights)(\?offset=\d+)?$|&limit=(?:0|10)&offset=0$|[?&]offset=[1-9]\d*$/.test(
            path,
          ),
      );
      expect(printed, line).toEqual(certain);
    }
  });

  it('--mock names the museum and does not start it', async () => {
    const { code, stdout } = await opac(['highlights', 'list', '--mock', '--dry-run']);
    expect(code).toBe(0);
    expect(lines(stdout)).toEqual([
      '# "opac mock" serves the built-in museum at http://127.0.0.1:8700',
      "curl -sS --compressed 'http://127.0.0.1:8700/api/v3/highlights'",
    ]);
  });

  it('no file is written', async () => {
    const folder = await newFolder();
    const { code } = await runAgainstMuseum('objects list -o list.csv --dry-run', { folder });
    expect(code).toBe(0);
    expect((await run('ls', [folder])).stdout).toBe('');
  });
});
