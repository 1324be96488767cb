/** The help pages that the build creates. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { opac as runHere } from '../cli/run-in-process.js';
import { readPageText } from '../docs/documents.js';
import { COMMAND, createFolder, opac, start } from './opac.js';

describe('opac --help', () => {
  it.each([
    ['80', {}],
    ['120', { FORCE_COLOR: '2' }],
    ['40', { LANG: 'C' }],
  ])('prints at %s columns the same page as the command tree', async (columns, also) => {
    const environment = { LANG: 'C.UTF-8', COLUMNS: columns, ...also };
    const { stdout } = await runHere(['--help'], { environment });
    for (const words of [['--help'], ['-h'], ['help']])
      expect(await opac(words, { environment })).toEqual({ code: 0, stdout, stderr: '' });
  });
});

describe('opac help <topic>', () => {
  it('prints the page of docs/ to a pipe', async () => {
    expect(await opac(['help', 'searching'])).toEqual({
      code: 0,
      stdout: readPageText('searching'),
      stderr: '',
    });
  });
});

describe('the pager', () => {
  it.each([['objects export --help'], ['help searching']])(
    'shows opac %s on a terminal, but not in a pipe',
    async (line) => {
      const folder = await createFolder();
      const run = (command: string, PAGER: string) =>
        execFileSync('script', ['-qec', command, '/dev/null'], {
          encoding: 'utf8',
          env: { PATH: process.env.PATH, TERM: 'dumb', COLUMNS: '80', LANG: 'C.UTF-8', PAGER },
        });
      const opacLine = `stty rows 24; ${COMMAND.join(' ')} ${line}`;
      const printed = run(opacLine, '');
      expect(printed.split('\n').length).toBeGreaterThan(24);
      expect(run(opacLine, `cat > ${folder}/paged; echo paged`)).toBe('paged\r\n');
      expect(await readFile(`${folder}/paged`, 'utf8')).toBe(printed.replaceAll('\r\n', '\n'));
      expect(run(`${opacLine} | cat`, 'echo paged')).not.toContain('paged');
    },
  );
});

describe('a closed pipe', () => {
  it.each(['--help', 'objects --help', '--version'])('causes no error of opac %s', async (line) => {
    const child = start(line.split(' '));
    child.stdout?.destroy();
    const messages = text(child.stderr as NodeJS.ReadableStream);
    const [code] = await once(child, 'close');
    expect([code, await messages]).toEqual([0, '']);
  });
});
