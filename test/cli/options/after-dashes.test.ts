/** opac searches for the words after `--`, even if they look like options. */
import { expect, it } from 'vitest';
import { refuseExpandedPattern } from '../../../src/cli/description/from-files.js';
import { readErrorFormat } from '../../../src/cli/options/global.js';
import { opac } from '../run-in-process.js';

const UNREACHABLE = ['objects', 'list', '--base-url', 'http://127.0.0.1:9', '--retries', '0'];

it('ignores --debug after --', async () => {
  const { code, stderr } = await opac([...UNREACHABLE, '--', '--debug']);
  expect([code, stderr.split('\n').filter((line) => line.trim().startsWith('at '))]).toEqual([5, []]);
  expect(stderr).toMatch(/^opac: .*\n$/);
});

it('ignores --error-format after --', async () => {
  const { stderr } = await opac([...UNREACHABLE, '--', '--error-format=json']);
  expect(stderr).toMatch(/^opac: /);
  expect(readErrorFormat(['objects', 'list', '--', '--error-format', 'json'], {})).toBeUndefined();
  expect(readErrorFormat(['objects', 'list', '--error-format', 'json', '--', 'x'], {})).toBe('json');
});

it('does not treat words after -- as files of --from', () => {
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
