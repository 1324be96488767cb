import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a script without types
import { assertIntegrity, PLATFORMS } from '../../packaging/node-binaries.js';
import { createFolder } from '../e2e/opac.js';

it('assertIntegrity refuses a file with another hash', async () => {
  const file = join(await createFolder(), 'node.tgz');
  await writeFile(file, 'hello');
  const hash = 'm3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw==';
  expect(() => assertIntegrity(file, `sha512-${hash}`)).not.toThrow();
  await writeFile(file, 'hellO');
  expect(() => assertIntegrity(file, `sha512-${hash}`)).toThrow('has the hash');
});

it('every platform has an integrity value with a SHA-512 hash', () => {
  for (const { integrity } of Object.values(PLATFORMS) as { readonly integrity: string }[])
    expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
});
