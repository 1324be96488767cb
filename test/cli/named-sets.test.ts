/** Options with the name of a collection or highlight. */
import { expect, it } from 'vitest';
import { runAgainstMuseum } from './run-against-museum.js';

it.each([
  ['collection', 'collections'],
  ['highlight', 'highlights'],
])('prints an error for a %s by name if the list of %s fails', async (option, noun) => {
  const { code, stdout, stderr } = await runAgainstMuseum(`objects list --${option} Prints --retries 0`, {
    museum: { faults: [{ kind: 'status', status: 503, on: [`${noun}.list`] }] },
  });
  expect([code, stdout]).toEqual([5, '']);
  expect(stderr).toContain(`cannot look up the ${option} "Prints": the service is busy (503)`);
});

it('uses a number as a collection id if the list of collections fails or is empty', async () => {
  for (const fault of [
    { kind: 'status', status: 503, on: ['collections.list'] },
    { kind: 'patched', set: { opacCollections: [], totalCollections: 0 }, on: ['collections.list'] },
  ] as const) {
    const { code, stdout } = await runAgainstMuseum('objects count --collection 3 --retries 0', {
      museum: { faults: [fault] },
    });
    expect([code, stdout]).toEqual([0, '26\n']);
  }
});
