import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { showInPager } from '../../../src/cli/output/pager.js';
import { createFolder } from '../../e2e/opac.js';
import { opac } from '../run-in-process.js';

const LONG = 'line\n'.repeat(100);

describe('showInPager', () => {
  it('removes the secrets of opac from the environment of the pager', async () => {
    const file = join(await createFolder(), 'environment.txt');
    const secret = { OPAC_BASIC_KEY: 'c2VjcmV0', OPAC_PROFILE: 'museum' };
    expect(showInPager(LONG, { PAGER: `env > "${file}"`, ...secret }, 24)).toBe(true);
    expect(await readFile(file, 'utf8')).toMatch(/OPAC_PROFILE/);
    expect(await readFile(file, 'utf8')).not.toMatch(/OPAC_BASIC_KEY/);
  });

  it('writes the text to the pager', async () => {
    const file = join(await createFolder(), 'paged.txt');
    expect(showInPager(LONG, { PAGER: `cat > "${file}"` }, 24)).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(LONG);
  });

  it('returns true if the user ends the pager before it reads the complete text', () => {
    expect(showInPager('line\n'.repeat(1_000_000), { PAGER: 'true' }, 24)).toBe(true);
  });

  it.each(['', 'cat', 'no-such-pager 2> /dev/null'])('returns false with PAGER=%j', (PAGER) => {
    expect(showInPager(LONG, { PAGER }, 24)).toBe(false);
  });

  it('returns false if the text fits on the screen', () => {
    expect(showInPager('line\n', { PAGER: 'true' }, 24)).toBe(false);
  });
});

it('shows help only in the pager, and records never in the pager', async () => {
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
