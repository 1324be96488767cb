/** The help that is ready when the program is built. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { opac as here } from '../cli/run-in-process.js';
import { pageText } from '../docs/documents.js';
import { COMMAND, newFolder, opac, start } from './opac.js';

describe('the page of the program', () => {
  it.each([
    ['80', {}],
    ['120', { FORCE_COLOR: '2' }],
    ['40', { LANG: 'C' }],
  ])('at %s columns is what the command tree would show', async (columns, also) => {
    const environment = { LANG: 'C.UTF-8', COLUMNS: columns, ...also };
    const { stdout } = await here(['--help'], { environment });
    for (const words of [['--help'], ['-h'], ['help']])
      expect(await opac(words, { environment })).toEqual({ code: 0, stdout, stderr: '' });
  });
});

describe('a topic', () => {
  it('is the page of docs/ in a pipe', async () => {
    expect(await opac(['help', 'searching'])).toEqual({ code: 0, stdout: pageText('searching'), stderr: '' });
  });
});

describe('on a terminal', () => {
  it.each([['objects export --help'], ['help searching']])('opac %s is shown in the pager', async (line) => {
    const folder = await newFolder();
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
  });
});

describe('a reader that went away', () => {
  it.each(['--help', 'objects --help', '--version'])('of opac %s is no error', async (line) => {
    const child = start(line.split(' '));
    child.stdout?.destroy();
    const said = text(child.stderr as NodeJS.ReadableStream);
    const [code] = await once(child, 'close');
    expect([code, await said]).toEqual([0, '']);
  });
});
