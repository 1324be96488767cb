import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordsInFile } from '../../src/local/files/data-files.js';
import { MAX_ITEMS } from '../../src/records/files/read-pieces.js';
import { createFolder } from '../e2e/opac.js';

it('stops reading a long list response when the signal aborts', async () => {
  const path = join(await createFolder(), 'list.json');
  const items = Array.from({ length: 2 * MAX_ITEMS }, (_, id) => `{"opacObjectId":"${id}"}`);
  await writeFile(path, `{"opacObjects":[${items.join()}]}`);
  const controller = new AbortController();
  const groups = recordsInFile(path, controller.signal);
  expect((await groups.next()).value).toHaveLength(MAX_ITEMS);
  controller.abort(new Error('stopped'));
  await expect(groups.next()).rejects.toThrow('stopped');
});
