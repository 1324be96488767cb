/** `--dry-run` sends no requests. It prints shell commands that send the same requests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startMuseum } from '../../src/mock/index.js';
import { COMMANDS, splitInShell } from '../cli/dry-run/commands.js';
import { runAgainstMuseum as runInProcess } from '../cli/run-against-museum.js';
import { createFolder, opac } from './opac.js';
import { hasPrograms } from './programs.js';
import { collectOutcomes, runAgainstMuseum, splitLines } from './run-against-museum.js';

const runFile = promisify(execFile);
const hasCurl = hasPrograms(['curl'], 'running the printed requests');

describe('--dry-run', () => {
  it.runIf(hasCurl)('prints shell commands that send the same requests as the command itself', async () => {
    const outcomes = await collectOutcomes(
      // If there may be more records, a command requests pages until a page is empty.
      COMMANDS.filter((line) => !/250|--external-id/.test(line)).map((line) => [line] as const),
      async ([line]) => {
        const museum = await startMuseum();
        try {
          const { stdout } = await opac([...splitInShell(line), '--base-url', museum.url, '--dry-run']);
          await runFile('sh', ['-ec', stdout]);
          const { requests } = await runInProcess(splitInShell(line));
          return { printed: museum.requests.map(({ path }) => path), sent: requests.map(({ path }) => path) };
        } finally {
          await museum.close();
        }
      },
    );
    for (const [line, { printed, sent }] of Object.entries(outcomes)) {
      // A list continues until a page has no new records. A search also requests fields and collections. If it finds nothing, it
      // requests the total, and suggestions for names.
      const expectedRequests = sent.filter(
        (path) =>
          printed.includes(path) ||
          !/\/(views|facets\/\w+)$|\/(opaccollections|highlights)(\?offset=\d+)?$|&limit=(?:0|10)&offset=0$|[?&]offset=[1-9]\d*$/.test(
            path,
          ),
      );
      expect(printed, line).toEqual(expectedRequests);
    }
  });

  it('prints the address of the built-in museum with --mock', async () => {
    const { code, stdout } = await opac(['highlights', 'list', '--mock', '--dry-run']);
    expect(code).toBe(0);
    expect(splitLines(stdout)).toEqual([
      '# "opac mock" serves the built-in museum at http://127.0.0.1:8700',
      "curl -sS --compressed 'http://127.0.0.1:8700/api/v3/highlights'",
    ]);
  });

  it('writes no file', async () => {
    const folder = await createFolder();
    const { code } = await runAgainstMuseum('objects list -o list.csv --dry-run', { folder });
    expect(code).toBe(0);
    expect((await runFile('ls', [folder])).stdout).toBe('');
  });
});
