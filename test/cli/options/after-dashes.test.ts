/** What follows `--` is text to search for, whatever option it looks like. */
import { expect, it } from 'vitest';
import { refuseExpandedPattern } from '../../../src/cli/description/from-files.js';
import { readErrorFormat } from '../../../src/cli/options/global.js';
import { opac } from '../run-in-process.js';

const UNREACHABLE = ['objects', 'list', '--base-url', 'http://127.0.0.1:9', '--retries', '0'];

it('--debug prints no causes', async () => {
  const { code, stderr } = await opac([...UNREACHABLE, '--', '--debug']);
  expect([code, stderr.split('\n').filter((line) => line.trim().startsWith('at '))]).toEqual([5, []]);
  expect(stderr).toMatch(/^opac: .*\n$/);
});

it('--error-format leaves errors as text', async () => {
  const { stderr } = await opac([...UNREACHABLE, '--', '--error-format=json']);
  expect(stderr).toMatch(/^opac: /);
  expect(readErrorFormat(['objects', 'list', '--', '--error-format', 'json'], {})).toBeUndefined();
  expect(readErrorFormat(['objects', 'list', '--error-format', 'json', '--', 'x'], {})).toBe('json');
});

it('--from has no files', () => {
  const words = ['objects', 'list', '--from', 'a.ndjson', '--', '--from', 'b.ndjson', 'c.ndjson'];
  const list = { name: 'list', summary: '', examples: {}, run: async () => undefined };
  expect(() => refuseExpandedPattern(words, list)).not.toThrow();
  expect(() =>
    refuseExpandedPattern(
      words.filter((word) => word !== '--'),
      list,
    ),
  ).toThrow('c.ndjson');
});
