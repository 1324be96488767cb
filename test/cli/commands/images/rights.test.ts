/** `images download --rights` if it excludes all images: opac refuses a mistyped attribute, and otherwise prints the reason. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../../e2e/opac.js';
import { startImageServer } from '../../../images/image-server.js';
import { opac } from '../../run-in-process.js';

/** Downloads from a server whose images have these attributes, one object per image. */
async function download(rights: string, ...attributes: readonly Readonly<Record<string, string>>[]) {
  const server = await startImageServer(
    attributes.map((each, n) => ({
      id: String(n + 1),
      fields: { accession_no: `A${n + 1}` },
      images: [{ url: `/i/${n + 1}.png`, attributes: each }],
    })),
  );
  const folder = join(await createFolder(), 'pictures');
  const words = ['images', 'download', folder, '--base-url', server.url, '--retries', '0'];
  const outcome = await opac([...words, '--rights', rights]);
  return { ...outcome, folder, requested: server.asked() };
}

const RESTRICTED = { copyright: 'No known copyright restrictions' };

it.each([
  ['image@copyrigt=x', 'opac: no image has "image@copyrigt"; did you mean "image@copyright"?\n'],
  ['image@copyrigt=CC0', 'opac: no image has "image@copyrigt"; did you mean "image@copyright"?\n'],
])('refuses the attribute in %s, which no image has', async (rights, message) => {
  const { code, stdout, stderr, folder, requested } = await download(rights, RESTRICTED, {
    copyright: 'CC0',
  });
  expect({ code, stdout, requested }).toEqual({ code: 2, stdout: '', requested: [] });
  expect(stderr).toContain(message);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

it('prints the rights of the first image if no image is allowed', async () => {
  const { code, stderr, requested } = await download('image@copyright=No known copyright', RESTRICTED, {
    copyright: 'In copyright',
  });
  expect([code, requested]).toEqual([0, []]);
  const reason = 'image@copyright is "No known copyright restrictions", which --rights does not allow';
  expect(stderr).toContain(`--rights excludes all images; for the first one, ${reason}\n`);
});

it('accepts an unknown attribute if no image has a similar one', async () => {
  const { code, stderr } = await download('image@credit=x', RESTRICTED);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('--rights excludes all images; for the first one, no value in image@credit\n'),
  ]);
});

it('prints that the attribute of the first image is empty', async () => {
  const { code, stderr } = await download('image@copyright=CC0', {}, RESTRICTED);
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('--rights excludes all images; for the first one, no value in image@copyright\n'),
  ]);
});

it('prints no reason if one image is allowed, or if there are no images', async () => {
  const some = await download('image@copyright=CC0', RESTRICTED, { copyright: 'CC0' });
  expect([some.code, some.requested]).toEqual([0, ['/i/2.png']]);
  expect(some.stderr).toContain('1 image skipped because of');
  const none = await download('image@copyright=CC0');
  expect(none.code).toBe(0);
  for (const { stderr } of [some, none]) expect(stderr).not.toContain('excludes all images');
});

it('refuses a mistyped attribute and prints the reason in the built-in museum', async () => {
  const folder = join(await createFolder(), 'pictures');
  const run = (rights: string) => opac(['images', 'download', folder, '--mock', '--rights', rights]);
  expect(await run('image@copyrigt=x')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('did you mean "image@copyright"?'),
  });
  const { code, stderr } = await run('image@copyright=No known copyright');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/--rights excludes all images; .*"No known copyright restrictions"/),
  ]);
});
