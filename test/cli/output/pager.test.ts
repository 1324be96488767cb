import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { showInPager } from '../../../src/cli/output/pager.js';
import { newFolder } from '../../e2e/opac.js';
import { opac } from '../run-in-process.js';

const LONG = 'line\n'.repeat(100);

describe('long help', () => {
  it('is the input of the pager', async () => {
    const file = join(await newFolder(), 'paged.txt');
    expect(showInPager(LONG, { PAGER: `cat > "${file}"` }, 24)).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(LONG);
  });

  it('is complete for a user who leaves the pager early', () => {
    expect(showInPager('line\n'.repeat(1_000_000), { PAGER: 'true' }, 24)).toBe(true);
  });

  it.each(['', 'cat', 'no-such-pager 2> /dev/null'])('is printed with PAGER=%j', (PAGER) => {
    expect(showInPager(LONG, { PAGER }, 24)).toBe(false);
  });

  it('is printed if it fits on the screen', () => {
    expect(showInPager('line\n', { PAGER: 'true' }, 24)).toBe(false);
  });
});

it('help is not printed as well, data are never paged', async () => {
  const paged: string[] = [];
  const showPage = (text: string) => paged.push(text) > 0;
  for (const words of [['objects', 'export', '--help'], ['help', 'searching'], ['--help']])
    expect(
      await opac(words, { columns: 80, environment: { NO_COLOR: '1' }, showInPager: showPage }),
    ).toMatchObject({ code: 0, stdout: '' });
  expect(paged.map((text) => text.split('\n')[0])).toEqual([
    'Usage: opac objects export [options] [text...]',
    'Searching',
    'Usage: opac <command> [options]',
  ]);
  const { stdout } = await opac(['objects', 'list', '--mock'], { columns: 80, showInPager: showPage });
  expect(stdout).toContain('20022');
  expect(paged).toHaveLength(3);
});
