/** An interrupted run does not change the mirror, and reports this. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { OpacError } from '../../src/service/errors.js';
import { opac } from '../cli/run-in-process.js';
import { createMirror } from './mirror-of.js';
import { createRecords, editRecord, formatLines, SmallMuseum } from './small-museum.js';

/** Creates a mirror, edits a record, and starts a run that gets a signal when it sends its nth request for records. */
async function interruptAt(nth: number, ...words: string[]) {
  const museum = await SmallMuseum.start();
  museum.records.objects = createRecords(250);
  const mirror = await createMirror(museum);
  expect(await mirror.sync()).toMatchObject({ code: 0 });
  const state = await readFile(join(mirror.folder, 'mirror.json'), 'utf8');
  const before = museum.records.objects;
  museum.records.objects = editRecord(before, '3', { name: 'three', modified: '2021-01-01' });
  const interruption = new AbortController();
  const first = museum.requests + nth;
  museum.before = ({ number }) => {
    if (number >= first) interruption.abort(new OpacError('interrupted', 'interrupted by SIGTERM'));
  };
  const result = await opac([...mirror.words, ...words], { signal: interruption.signal });
  museum.before = () => undefined;
  return { museum, mirror, before, state, result };
}

it.each([
  ['during its first request', 1, []],
  ['during a later request', 3, []],
  ['while it reads the newest records', 1, ['--newest-first', 'modified']],
])('leaves the mirror unchanged if a signal arrives %s', async (_, nth, words) => {
  const { museum, mirror, before, state, result } = await interruptAt(nth, ...words);
  expect(result).toEqual({
    code: 130,
    stdout: '',
    stderr: 'opac: interrupted by SIGTERM; the mirror is unchanged; run the command again\n',
  });
  expect(await mirror.lines()).toEqual(formatLines('objects', before));
  expect(await readFile(join(mirror.folder, 'mirror.json'), 'utf8')).toBe(state);
  expect(await mirror.sync()).toMatchObject({ code: 0 });
  expect(await mirror.lines()).toEqual(formatLines('objects', museum.records.objects));
});

it('prints the error as JSON with --error-format json', async () => {
  const { result } = await interruptAt(1, '--error-format', 'json');
  expect(JSON.parse(result.stderr)).toMatchObject({
    kind: 'interrupted',
    exit: 130,
    message: 'interrupted by SIGTERM',
    hint: 'the mirror is unchanged; run the command again',
  });
});
