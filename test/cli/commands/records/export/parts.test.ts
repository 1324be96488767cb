/** `--part`: invalid combinations of options, and the share of --rate for each part. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../../e2e/opac.js';
import { splitLines } from '../../../../e2e/run-against-museum.js';
import { runAgainstMuseum } from '../../../run-against-museum.js';
import { opac } from '../../../run-in-process.js';

describe('objects export with --part, --window or --plan', () => {
  it.each([
    ['--part 0/3', 'invalid value "0/3" for --part; must be like 3/8, from 1/8 to 8/8'],
    ['--part 9/8', 'invalid value "9/8" for --part'],
    ['--part 1/10001', 'an export has at most 10000 parts'],
    ['--part -1/3', 'invalid value "-1/3" for --part'],
    ['--part 1.5/3', 'invalid value "1.5/3" for --part'],
    ['--part 1/3 --external-id 20011', 'a list cannot be used with --part'],
    ['--part 1/3 --limit 5', '--limit cannot be used with --part'],
    ['--part 1/3 --exact --where title=x', '--exact cannot be used with --part'],
    ['--part 1/3 --no-images', '--no-images or --where image.count cannot be used with --part'],
    ['--part 1/3 -f ndjson', '--part requires a file'],
    ['--part 1/3 -o x.csv', '--part writes NDJSON, not csv'],
    ['--part 1/3 --split 5', '--part cannot be used with --split'],
    ['-o ', 'invalid value "" for --output'],
    ['--window 0 -o x.csv', 'invalid value "0" for --window'],
    ['--plan --from x.ndjson', '--from cannot be used with --'],
  ])('exits with 2 before any request: %s', async (line, message) => {
    const environment = { OPAC_BASE_URL: 'http://127.0.0.1:9' };
    const words = `objects export ${line}${/-o|-f|--plan/.test(line) ? '' : ' -o /nowhere/part.ndjson'}`;
    const { code, stderr } = await opac(words.split(' '), { environment });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('prints the plan to standard output, and does not write the file of -o', async () => {
    const file = join(await createFolder(), 'x.csv');
    const { code, stdout } = await opac(`objects export --mock --plan -o ${file} --columns id`.split(' '));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^slice\trecords\t/)]);
    expect(existsSync(file)).toBe(false);
  });

  it('uses the share of --rate for one part, and prints it', async () => {
    const folder = await createFolder();
    const run = (part: string) =>
      runAgainstMuseum(`objects export --rate 100 --page-size 10 -o ${join(folder, 'a.ndjson')} ${part}`);
    const { requests, stderr } = await run('--part 2/4');
    expect(splitLines(stderr)[0]).toBe('limit: 25 requests per second (--rate 100 shared by 4 parts)');
    const [first, last] = [requests[0]?.at ?? 0, requests.at(-1)?.at ?? 0];
    // Requests are 40 ms apart. Timers and the clock of the log can be 1 or 2 ms off.
    expect(last - first).toBeGreaterThanOrEqual((requests.length - 1) * 38);
    expect((await run('')).stderr).not.toContain('requests per second');
  });

  it('does not suggest --resume for records that slices cannot reach', async () => {
    const folder = await createFolder();
    const { code, stderr } = await runAgainstMuseum(
      `objects export --window 20 -f ids -o ${join(folder, 'a.ids')}`,
      { museum: { faults: [{ kind: 'window', size: 20 }, { kind: 'query-ignored' }] } },
    );
    expect(code).toBe(6);
    expect(stderr).toContain('warning: the slices possibly miss 123 records beyond the window');
    expect(stderr).toContain(
      '--resume would not find more records; opac cannot reach these records with slices',
    );
  });

  it('prints different notes for an empty part and for a search without matches', async () => {
    const folder = await createFolder();
    const run = (options: string) =>
      runAgainstMuseum(`objects export -o ${join(folder, 'a.ndjson')} --force --part 1/4 ${options}`);
    const { code, stderr } = await run('--where title=fern');
    expect([code, splitLines(stderr)[0]]).toEqual([0, 'this part has no records']);
    expect(splitLines((await run('--where title=nothing')).stderr)[0]).toBe('no records match');
  });
});
