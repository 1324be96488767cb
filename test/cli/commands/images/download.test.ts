/** `opac images download`: downloaded, skipped and refused images, the index and the report, and --prune. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFile,
  chown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { OpacError } from '../../../../src/service/errors.js';
import { createFolder, splitCommandLine } from '../../../e2e/opac.js';
import { splitLines } from '../../../e2e/run-against-museum.js';
import {
  createImageFor,
  createSmallPng,
  createTiff,
  type ImageServer,
  startImageServer,
} from '../../../images/image-server.js';
import { runAgainstMuseum } from '../../run-against-museum.js';
import { opac } from '../../run-in-process.js';

type Row = Readonly<Record<string, string | number>>;

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

async function readRows(folder: string, name: string): Promise<Row[]> {
  return splitLines(await readFile(join(folder, name), 'utf8')).map((line) => JSON.parse(line) as Row);
}

/** Downloads images into a new folder, or into `folder`. */
async function download(server: ImageServer, options = '', folder?: string) {
  const into = folder ?? join(await createFolder(), 'pictures');
  const before = server.requests.length;
  const result = await opac([
    'images',
    'download',
    into,
    ...splitCommandLine(options),
    '--base-url',
    server.url,
    '--retries',
    '0',
  ]);
  const requested = server.requests
    .slice(before)
    .flatMap(({ url = '' }) => (url.startsWith('/api/') ? [] : [url]));
  return { ...result, folder: into, requested, stderr: result.stderr.replaceAll(into, 'FOLDER') };
}

const objects = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    id: String(n + 1),
    fields: {
      accession_no: `A${n + 1}`,
      name: `Object ${n + 1}`,
      credit_line: 'Gift',
      copyright: n % 2 ? 'CC0' : 'In copyright',
    },
    images: [{ url: `/i/${n + 1}.png` }],
  }));

describe('opac images download', () => {
  it('downloads every image and writes the index, and requests no images in a second run', async () => {
    const server = await startImageServer(objects(30));
    const first = await download(server);
    expect(first).toMatchObject({ code: 0, stdout: '' });
    const index = await readRows(first.folder, 'index.ndjson');
    expect(await listFiles(first.folder)).toEqual(
      [...index.map(({ file }) => String(file)), 'index.csv', 'index.ndjson'].sort(),
    );
    expect(index.map(({ file }) => file)).toEqual(Array.from({ length: 30 }, (_, n) => `A${n + 1}-1.png`));
    for (const { file, sha256, bytes, sourceUrl } of index) {
      const content = await readFile(join(first.folder, String(file)));
      expect(content.equals(createImageFor(new URL(String(sourceUrl)).pathname))).toBe(true);
      expect([sha256, bytes]).toEqual([createHash('sha256').update(content).digest('hex'), content.length]);
    }
    expect(splitLines(await readFile(join(first.folder, 'index.csv'), 'utf8'))).toHaveLength(31);
    const second = await download(server, '', first.folder);
    expect(second).toMatchObject({ code: 0, requested: [] });
    expect(second.stderr).toBe('30 images in "FOLDER": 0 downloaded (0 B), 30 already existed\n');
    expect(await readRows(first.folder, 'index.ndjson')).toEqual(index);
  });

  it('downloads images again only if they are missing or damaged, or have a new URL', async () => {
    const server = await startImageServer(objects(6));
    const { folder } = await download(server);
    await rm(join(folder, 'A1-1.png'));
    await writeFile(
      join(folder, 'A2-1.png'),
      Buffer.alloc((await readFile(join(folder, 'A2-1.png'))).length),
    );
    server.objects = objects(6).map((object) =>
      object.id === '3' ? { ...object, images: [{ url: '/new.png' }] } : object,
    );
    const again = await download(server, '', folder);
    expect(again.requested.sort()).toEqual(['/i/1.png', '/i/2.png', '/new.png']);
    expect((await readFile(join(folder, 'A3-1.png'))).equals(createImageFor('/new.png'))).toBe(true);
  });

  it('does not request images without allowed rights, and reports the reasons', async () => {
    const server = await startImageServer([...objects(4), { id: '9', images: [{ url: '/i/9.png' }] }]);
    const { folder, requested, code, stderr } = await download(
      server,
      '--rights copyright="CC0,Public domain"',
    );
    expect(requested.sort()).toEqual(['/i/2.png', '/i/4.png']);
    expect(code).toBe(0);
    expect(stderr).toContain('3 images skipped because of --rights');
    expect(
      (await readRows(folder, 'report.ndjson')).map(({ recordId, status, reason }) => [
        recordId,
        status,
        reason,
      ]),
    ).toEqual([
      ['1', 'refused', 'copyright is "In copyright", which --rights does not allow'],
      ['3', 'refused', 'copyright is "In copyright", which --rights does not allow'],
      ['9', 'refused', 'no value in copyright'],
    ]);
    expect((await readRows(folder, 'index.ndjson')).map(({ rights }) => rights)).toEqual(['CC0', 'CC0']);
  });

  it('accepts several --rights, and quoted values with commas', async () => {
    const [first, second, third] = objects(3);
    const server = await startImageServer([
      { ...first, fields: { copyright: 'CC BY, 4.0' } },
      { ...second, fields: { copyright: '4.0' } },
      { ...third, fields: { rights: 'Public domain' } },
    ] as ImageServer['objects']);
    const into = join(await createFolder(), 'pictures');
    const rights = ['--rights', 'copyright="CC BY, 4.0",CC0', '--rights', 'rights=Public domain'];
    const { code } = await opac(['images', 'download', into, '--base-url', server.url, ...rights]);
    expect({ code, requested: server.asked().sort() }).toEqual({
      code: 0,
      requested: ['/i/1.png', '/i/3.png'],
    });
    expect((await readRows(into, 'report.ndjson'))[0]?.reason).toBe(
      'copyright, rights is "4.0", which --rights does not allow',
    );
    expect((await readRows(into, 'index.ndjson')).map(({ rightsReason }) => rightsReason)).toEqual([
      'copyright is "CC BY, 4.0"',
      'rights is "Public domain"',
    ]);
  });

  it('deletes images that no longer match with --prune, but no other files', async () => {
    const server = await startImageServer(objects(4));
    const { folder } = await download(server, '--sidecar');
    await writeFile(join(folder, 'notes.txt'), 'mine');
    server.objects = objects(2);
    const kept = await download(server, '', folder);
    expect(kept.stderr).toContain(
      '2 images from earlier runs, no longer in the search result (--prune deletes such images)',
    );
    expect((await readRows(folder, 'index.ndjson')).map(({ file, status }) => [file, status])).toEqual([
      ['A1-1.png', 'current'],
      ['A2-1.png', 'current'],
      ['A3-1.png', 'left over'],
      ['A4-1.png', 'left over'],
    ]);
    expect((await download(server, '--prune', folder)).stderr).toContain('2 images deleted');
    expect(await listFiles(folder)).toEqual(
      [
        'A1-1.png',
        'A1-1.png.json',
        'A2-1.png',
        'A2-1.png.json',
        'index.csv',
        'index.ndjson',
        'notes.txt',
      ].sort(),
    );
  });

  it('deletes nothing with --prune if no images match, because the service may have failed', async () => {
    const server = await startImageServer(objects(3));
    const { folder } = await download(server);
    const before = await listFiles(folder);
    server.objects = [];
    const { code, stderr } = await download(server, '--prune', folder);
    expect(code).toBe(6);
    expect(stderr).toContain(
      'opac: no images match, so --prune deleted none of the 3 images in "FOLDER"; if the images were really removed from the service, delete the folder',
    );
    expect(await listFiles(folder)).toEqual(before);
  });

  it('deletes nothing with --prune if --rights excludes all images', async () => {
    const server = await startImageServer(objects(3));
    const { folder } = await download(server);
    const before = await listFiles(folder);
    const { code, stderr } = await download(server, '--prune --rights copyright=None', folder);
    expect(code).toBe(6);
    expect(stderr).toContain(
      'opac: the options exclude all images, so --prune deleted none of the 3 images in "FOLDER"; if you do not need the images, delete the folder',
    );
    expect((await listFiles(folder)).filter((name) => !name.startsWith('report.'))).toEqual(before);
  });

  it('keeps images and sidecar files that were edited, with --prune', async () => {
    const server = await startImageServer(objects(3));
    const { folder } = await download(server, '--sidecar');
    await writeFile(join(folder, 'A3-1.png'), 'edited');
    await writeFile(join(folder, 'A2-1.png.json'), 'my notes');
    server.objects = objects(1);
    const { code, stderr } = await download(server, '--prune', folder);
    expect(code).toBe(0);
    expect(stderr).toContain('1 image deleted');
    expect(stderr).toContain('1 image kept from earlier runs');
    expect(await listFiles(folder)).toEqual(
      [
        'A1-1.png',
        'A1-1.png.json',
        'A2-1.png.json',
        'A3-1.png',
        'A3-1.png.json',
        'index.csv',
        'index.ndjson',
      ].sort(),
    );
    expect(await readFile(join(folder, 'A3-1.png'), 'utf8')).toBe('edited');
  });

  it('deletes no other files if an edited index contains them', async () => {
    const server = await startImageServer(objects(1));
    const { folder } = await download(server);
    const victim = await createFolder();
    await writeFile(join(victim, 'keep.txt'), 'keep');
    await symlink(victim, join(folder, 'sub'));
    await writeFile(join(folder, 'thesis.docx'), 'thesis');
    await writeFile(join(folder, 'A1-1.docx'), 'other');
    const sha256 = createHash('sha256').update('keep').digest('hex');
    const rows = [
      { file: 'sub/keep.txt', sha256, bytes: 4 },
      { file: 'thesis.docx' },
      { file: 'A1-1.docx', sourceUrl: 'http://elsewhere.example/' },
    ];
    await writeFile(join(folder, 'index.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
    await rm(join(folder, 'A1-1.png'));
    expect((await download(server, '--prune', folder)).code).toBe(0);
    expect(await readFile(join(victim, 'keep.txt'), 'utf8')).toBe('keep');
    expect(await listFiles(folder)).toEqual([
      'A1-1.docx',
      'A1-1.png',
      'index.csv',
      'index.ndjson',
      'thesis.docx',
    ]);
  });

  it('ignores invalid rows of the index, and prints their number', async () => {
    const server = await startImageServer(objects(1));
    const { folder } = await download(server);
    const names = [
      'notes.txt',
      '.git/config',
      '.hidden/x.png',
      '.x.png',
      'sub/.x.png',
      'index.csv',
      'x.png.json',
    ];
    const sha256 = createHash('sha256').update('mine').digest('hex');
    for (const sub of ['.git', '.hidden', 'sub']) await mkdir(join(folder, sub));
    for (const name of names) await writeFile(join(folder, name), 'mine');
    const odd = ['a\0b.png', 'x.txt:y.png', 'a\nb.png', 'a.PNG'];
    const rows = [...names, ...odd].map((file) => JSON.stringify({ file, sha256, bytes: 4 }));
    await appendFile(join(folder, 'index.ndjson'), `${rows.join('\n')}\n`);
    const pruned = await download(server, '--prune', folder);
    expect(pruned).toMatchObject({ code: 0, requested: [] });
    expect(pruned.stderr).toContain('ignored 11 invalid rows in "FOLDER/index.ndjson"');
    expect(pruned.stderr).not.toContain('deleted');
    expect(await listFiles(folder)).toEqual(['A1-1.png', 'index.ndjson', ...names].sort());
    expect(await readRows(folder, 'index.ndjson')).toHaveLength(1);
    expect((await download(server, '--prune', folder)).stderr).not.toContain('ignored');
  });

  it('writes nothing through a symbolic link to a folder', async () => {
    const server = await startImageServer(objects(2));
    const folder = join(await createFolder(), 'pictures');
    const victim = await createFolder();
    await mkdir(folder);
    await symlink(victim, join(folder, 'CC0'));
    const { code, stderr } = await download(server, '--name {copyright}/{id} --sidecar', folder);
    expect(code).toBe(6);
    expect(stderr).toContain('"FOLDER/CC0" is not a folder');
    expect(await readdir(victim)).toEqual([]);
    expect((await readRows(folder, 'index.ndjson')).map(({ file }) => file)).toEqual(['In_copyright/1.png']);
  });

  it.skipIf(process.getuid?.() !== 0)('refuses the index of another user', async () => {
    const server = await startImageServer(objects(1));
    const { folder } = await download(server);
    await chown(join(folder, 'index.ndjson'), 65_534, 65_534);
    server.objects = [];
    for (const options of ['--prune', '--dry-run']) {
      const { code, stderr } = await download(server, options, folder);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('index.ndjson" belongs to another user'),
      });
    }
    expect(await listFiles(folder)).toEqual(['A1-1.png', 'index.csv', 'index.ndjson']);
  });

  it.skipIf(process.getuid?.() !== 0)('refuses index.csv and report files of another user', async () => {
    const server = await startImageServer(objects(1));
    const { folder } = await download(server);
    for (const name of ['index.csv', 'report.csv', 'report.ndjson']) {
      await writeFile(join(folder, name), '', { flag: 'a' });
      await chown(join(folder, name), 65_534, 65_534);
      const { code, stderr } = await download(server, '', folder);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${name}" belongs to another user`)]);
      await rm(join(folder, name));
    }
  });

  it.skipIf(process.getuid?.() !== 0)('refuses the work folder of another user', async () => {
    const server = await startImageServer(objects(1));
    const folder = join(await createFolder(), 'pictures');
    await mkdir(join(folder, '.opac'), { recursive: true });
    await chown(join(folder, '.opac'), 65_534, 65_534);
    const { code, stderr } = await download(server, '', folder);
    expect([code, stderr]).toEqual([2, expect.stringContaining('FOLDER/.opac" belongs to another user')]);
  });

  it('deletes only its own files in the work folder', async () => {
    const server = await startImageServer(objects(1));
    const folder = join(await createFolder(), 'pictures');
    await mkdir(join(folder, '.opac'), { recursive: true });
    const own = ['.ssh_key', 'part-0.odt', 'thesis.odt'];
    for (const name of own) await writeFile(join(folder, '.opac', name), 'mine');
    expect((await download(server, '', folder)).code).toBe(0);
    expect((await readdir(join(folder, '.opac'))).sort()).toEqual(own);
  });

  it.each(['index.csv', 'index.ndjson', 'report.csv', 'report.ndjson'])(
    'refuses a folder with the file %s if opac did not write the file',
    async (name) => {
      const server = await startImageServer(objects(1));
      const folder = join(await createFolder(), 'pictures');
      await mkdir(folder);
      await writeFile(join(folder, name), 'mine\n');
      expect(await download(server, '', folder)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`opac did not write "FOLDER/${name}", and would replace it; `),
      });
      expect(await listFiles(folder)).toEqual([name]);
    },
  );

  it('continues after a run in which all images failed', async () => {
    const server = await startImageServer(objects(1));
    server.respond.set('/i/1.png', (_, response) => response.writeHead(404).end());
    const { folder, code } = await download(server);
    expect([code, await listFiles(folder)]).toEqual([
      6,
      ['index.csv', 'index.ndjson', 'report.csv', 'report.ndjson'],
    ]);
    server.respond.clear();
    expect((await download(server, '', folder)).code).toBe(0);
    expect(await listFiles(folder)).toEqual(['A1-1.png', 'index.csv', 'index.ndjson']);
  });

  it('does not delete an empty folder from before the run after an early error', async () => {
    const [existing, created] = [await createFolder(), join(await createFolder(), 'new')];
    const line = (folder: string) => ['images', 'download', folder, '--mock', '--name', '{unknown}.{ext}'];
    for (const folder of [existing, created]) expect((await opac(line(folder))).code).toBe(2);
    expect(await readdir(existing)).toEqual([]);
    await expect(readdir(created)).rejects.toThrow('ENOENT');
  });

  it('replaces only its own sidecar files', async () => {
    const server = await startImageServer(objects(1));
    const folder = join(await createFolder(), 'pictures');
    await mkdir(folder);
    await writeFile(join(folder, 'A1-1.png.json'), '{"mine":1}');
    const { code, stderr } = await download(server, '--sidecar', folder);
    expect([code, stderr]).toEqual([
      6,
      expect.stringContaining('"A1-1.png.json" already exists, and opac did not write it'),
    ]);
    expect(await readFile(join(folder, 'A1-1.png.json'), 'utf8')).toBe('{"mine":1}');
  });

  it('replaces a named pipe that has the name of an image', async () => {
    const server = await startImageServer(objects(1));
    const { folder } = await download(server);
    await rm(join(folder, 'A1-1.png'));
    await promisify(execFile)('mkfifo', [join(folder, 'A1-1.png')]);
    expect((await download(server, '', folder)).code).toBe(0);
    expect((await readFile(join(folder, 'A1-1.png'))).equals(createImageFor('/i/1.png'))).toBe(true);
  });

  it('keeps edited sidecar files of deleted images, and images that are symbolic links', async () => {
    const server = await startImageServer(objects(5));
    const { folder } = await download(server, '--sidecar');
    const names = (await listFiles(folder)).filter((name) => name.endsWith('.png')).sort();
    const [first = '', second = '', third = '', fourth = ''] = names;
    const edit = async (name: string, change: (text: string) => string) => {
      const path = join(folder, `${name}.json`);
      await writeFile(path, change(await readFile(path, 'utf8')));
    };
    await edit(first, (text) => text.replace('{', '{"note": "mine",'));
    await edit(second, (text) => `${text}\n`);
    await edit(third, (text) => text.replace(/"recordId": "[^"]*"/, '"recordId": "mine"'));
    await rename(join(folder, fourth), join(folder, 'target.bin'));
    await symlink('target.bin', join(folder, fourth));
    server.objects = server.objects.slice(5).concat(objects(6).slice(5));
    const { stderr } = await download(server, '--prune', folder);
    expect(stderr).toContain('4 images deleted');
    const left = await listFiles(folder);
    expect(left.filter((name) => /\.png\.json$/.test(name)).sort()).toEqual(
      [first, second, third, fourth].map((name) => `${name}.json`).sort(),
    );
    expect(left).toContain('target.bin');
    expect((await readdir(folder)).includes(fourth)).toBe(true);
  });

  it('deletes an image with --prune, but not its sidecar file if it is a pipe or a link', async () => {
    const server = await startImageServer(objects(3));
    const { folder } = await download(server);
    const { sha256 } = (await readRows(folder, 'index.ndjson'))[2] ?? {};
    const other = join(await createFolder(), 'other.json');
    await writeFile(other, JSON.stringify({ sha256 }));
    await promisify(execFile)('mkfifo', [join(folder, 'A2-1.png.json')]);
    await symlink(other, join(folder, 'A3-1.png.json'));
    server.objects = objects(1);
    expect((await download(server, '--prune', folder)).stderr).toContain('2 images deleted');
    expect((await readdir(folder)).sort()).toEqual([
      'A1-1.png',
      'A2-1.png.json',
      'A3-1.png.json',
      'index.csv',
      'index.ndjson',
    ]);
  });

  it.each(['plan.ndjson', 'plan.ndjson.opac-new', 'part-0', 'index.csv'])(
    'replaces a named pipe that has the name of the temporary file %s',
    async (name) => {
      const server = await startImageServer(objects(2));
      const folder = join(await createFolder(), 'pictures');
      await mkdir(join(folder, '.opac'), { recursive: true });
      await promisify(execFile)('mkfifo', [join(folder, '.opac', name)]);
      expect((await download(server, '', folder)).stderr).toContain('2 images in "FOLDER": 2 downloaded');
      expect(await listFiles(folder)).toEqual(['A1-1.png', 'A2-1.png', 'index.csv', 'index.ndjson']);
    },
  );

  it('can be interrupted while it deletes images, and then keeps the index', async () => {
    const server = await startImageServer(objects(1));
    const { folder } = await download(server);
    const rows = Array.from({ length: 50_000 }, (_, n) =>
      JSON.stringify({ file: `d/${n}.png`, sha256: '0' }),
    );
    await writeFile(join(folder, 'index.ndjson'), rows.join('\n'));
    const interruption = new AbortController();
    server.respond.set('/i/1.png', (_, response) => {
      response.end(createImageFor('/i/1.png'));
      setTimeout(() => interruption.abort(new OpacError('interrupted', 'interrupted')), 300);
    });
    const options = ['--prune', '--base-url', server.url];
    const { signal } = interruption;
    const { stderr } = await opac(['images', 'download', folder, ...options], { signal });
    expect(stderr).toContain('run the same command again');
    expect(await readRows(folder, 'index.ndjson')).toHaveLength(50_000);
  });

  it('writes the record next to the image with --sidecar', async () => {
    const server = await startImageServer(objects(1));
    const { folder } = await download(server, '--sidecar');
    const sidecar = JSON.parse(await readFile(join(folder, 'A1-1.png.json'), 'utf8'));
    expect(sidecar).toMatchObject({
      file: 'A1-1.png',
      recordId: '1',
      creditLine: 'Gift',
      accessionNumber: 'A1',
      record: { opacObjectId: '1' },
    });
  });

  it('replaces an image and its sidecar file if the new image has another format', async () => {
    const server = await startImageServer(objects(1));
    const { folder } = await download(server, '--sidecar');
    server.objects = objects(1).map((object) => ({ ...object, images: [{ url: '/i/other.tif' }] }));
    server.respond.set('/i/other.tif', (_, response) => response.end(createTiff(4, 'LE')));
    await download(server, '--sidecar', folder);
    expect(await listFiles(folder)).toEqual(['A1-1.tif', 'A1-1.tif.json', 'index.csv', 'index.ndjson']);
  });

  it('prints the size of the download with --dry-run, and requests no images', async () => {
    const server = await startImageServer(
      objects(3).map((object) => ({ ...object, images: [{ url: '/i.png', size: [1000, 1000] as const }] })),
    );
    const { stdout, requested, folder } = await download(server, '--dry-run');
    expect(requested).toEqual([]);
    expect(stdout).toContain('0 already there (0 B), 3 to download\nabout 900 kB to download');
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('sends credentials only to the deployment', async () => {
    const elsewhere = await startImageServer([]);
    const server = await startImageServer([
      { id: '1', images: [{ url: '/own.png' }] },
      { id: '2', images: [{ url: `${elsewhere.url}/other.png` }] },
    ]);
    const into = join(await createFolder(), 'pictures');
    const environment = { OPAC_BASIC_KEY: 'c2VjcmV0LWtleQ' };
    expect((await opac(['images', 'download', into, '--base-url', server.url], { environment })).code).toBe(
      0,
    );
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      server.requests.map(() => 'Basic c2VjcmV0LWtleQ'),
    );
    expect(elsewhere.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});

const bomb = Buffer.from(createSmallPng(1));
bomb.writeUInt32BE(60_000, 16);
bomb.writeUInt32BE(60_000, 20);

/** The name of each fault, the response of the server, and the reason in the report. */
const FAULTS: readonly (readonly [
  name: string,
  status: number,
  type: string,
  body: Buffer,
  reason: string,
])[] = [
  [
    'html',
    200,
    'text/html',
    Buffer.from('<!doctype html><p>Hi</p>'),
    'the response is a web page or XML, not an image',
  ],
  [
    'svg',
    200,
    'image/svg+xml',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"/>'),
    'is not supported',
  ],
  ['json', 200, 'image/png', Buffer.from('{"message":"no"}'), 'the response is JSON, not an image'],
  ['forbidden', 403, 'text/plain', Buffer.from('no'), 'the server denied access (403)'],
  [
    'challenge',
    202,
    'text/html',
    Buffer.from('<p>Are you human?</p>'),
    'a web firewall blocked the request (202)',
  ],
  ['gone', 404, 'text/plain', Buffer.from('no'), 'not found on the server (404)'],
  ['cut', 200, 'image/png', createSmallPng(1).subarray(0, -20), 'the image is incomplete'],
  ['head', 200, 'image/png', createSmallPng(1).subarray(0, 10), 'the image is incomplete or damaged'],
  ['empty', 200, 'image/png', Buffer.alloc(0), 'the server sent nothing'],
  ['part', 206, 'image/png', createSmallPng(1), 'the server sent only a part of the image (206)'],
  ['tiff', 200, 'image/tiff', createTiff(4, 'LE').subarray(0, -1), 'the image is incomplete'],
  ['bomb', 200, 'image/png', bomb, 'the image is too large: 60000 x 60000 pixels'],
];

describe('an image that cannot be downloaded', () => {
  it('appears in the report with its record and the reason, and is requested in the next run', async () => {
    const server = await startImageServer([
      ...FAULTS.map(([name]) => ({ id: name, images: [{ url: `/${name}.png` }] })),
      { id: 'size', images: [{ url: '/size.png', size: [10, 10] as const }] },
      { id: 'nowhere', images: [{ url: '' }] },
      { id: 'file', images: [{ url: 'file:///etc/passwd' }] },
      { id: 'good', images: [{ url: '/good.png' }] },
    ]);
    for (const [name, status, type, body] of FAULTS) {
      server.respond.set(`/${name}.png`, (_, response) =>
        response.writeHead(status, { 'content-type': type }).end(body),
      );
    }
    const { code, folder, stderr } = await download(server, '--concurrency 20');
    expect(code).toBe(6);
    const report = Object.fromEntries(
      (await readRows(folder, 'report.ndjson')).map(({ recordId, status, reason }) => [
        recordId,
        [status, reason],
      ]),
    );
    for (const [name, , , , reason] of FAULTS)
      expect([name, ...(report[name] ?? [])]).toEqual([name, 'failed', expect.stringContaining(reason)]);
    expect(report.size).toEqual([
      'failed',
      expect.stringMatching(/^the image has \d+ x \d+ pixels, but the record states 10 x 10/),
    ]);
    expect(report.nowhere).toEqual(['failed', 'the record has no URL for this image']);
    expect(report.file).toEqual(['failed', expect.stringContaining('the URL does not use http or https')]);
    expect((await listFiles(folder)).filter((name) => name.endsWith('.png'))).toEqual(['good-1.png']);
    expect(stderr).toContain('15 of 16 images could not be downloaded');
    server.respond.clear();
    server.objects = server.objects.filter(({ id }) => !['size', 'nowhere', 'file'].includes(id));
    const again = await download(server, '', folder);
    expect(again).toMatchObject({ code: 0 });
    expect(again.requested).toHaveLength(FAULTS.length);
    expect(await listFiles(folder)).not.toContain('report.ndjson');
  });

  it('is requested again if its response was cut', async () => {
    const { code, requests } = await runAgainstMuseum(
      `images download ${join(await createFolder(), 'p')} --limit 12 --derivative TINY`,
      {
        museum: { faults: [{ kind: 'cut-body', on: 'images', every: 3 }] },
      },
    );
    expect(code).toBe(0);
    expect(requests.filter(({ path }) => path.startsWith('/records/')).length).toBeGreaterThan(12);
  });

  it('is not requested if its host did not respond to earlier requests', async () => {
    const nowhere = Array.from({ length: 60 }, (_, n) => ({
      id: `n${n}`,
      images: [{ url: `http://127.0.0.1:1/${n}.png` }],
    }));
    const server = await startImageServer([...nowhere, ...objects(3)]);
    const { folder, code } = await download(server);
    expect(code).toBe(6);
    const report = await readRows(folder, 'report.ndjson');
    expect(
      report.filter(({ reason }) =>
        String(reason).startsWith('not requested, because 127.0.0.1:1 did not respond or was busy'),
      ).length,
    ).toBeGreaterThan(30);
    expect(report).toHaveLength(60);
    expect(await readRows(folder, 'index.ndjson')).toHaveLength(3);
  });
});

describe('an image host that sends Retry-After: 3600', () => {
  it('does not delay the run, and does not receive requests for all images', async () => {
    const many = Array.from({ length: 60 }, (_, n) => ({ id: `n${n}`, images: [{ url: `/busy/${n}.png` }] }));
    const server = await startImageServer(many);
    for (const { images } of many)
      server.respond.set(images[0]?.url ?? '', (_, response) =>
        response.writeHead(503, { 'retry-after': '3600' }).end(),
      );
    const { code, folder, requested, stderr } = await download(server);
    expect(code).toBe(6);
    expect(requested.length).toBeLessThan(30);
    expect(await readRows(folder, 'report.ndjson')).toHaveLength(60);
    expect(stderr).not.toContain('retrying');
  });
});

describe('the file name of an image', () => {
  it('stays in the folder, unique, and the same in every run, for hostile values', async () => {
    const values = [
      '../../x',
      'CON',
      'a'.repeat(300),
      'a/b',
      'a\\b',
      '🦜',
      'x\u0000\u001b[31my',
      'dots...',
      'Kākahu',
      'KA\u0304KAHU',
      '',
    ];
    const server = await startImageServer(
      values.map((accession_no, n) => ({
        id: String(n),
        fields: { accession_no },
        images: [{ url: `/${n}.png` }],
      })),
    );
    const outer = await createFolder();
    const { folder, code, stderr } = await download(
      server,
      '--name "{accession_no}"',
      join(outer, 'pictures'),
    );
    expect(code).toBe(0);
    const names = (await readRows(folder, 'index.ndjson')).map(({ file }) => String(file));
    expect(new Set(names.map((name) => name.normalize('NFKD').toLowerCase())).size).toBe(values.length);
    expect(await readdir(outer)).toEqual(['pictures']);
    expect((await listFiles(folder)).filter((name) => name.endsWith('.png')).sort()).toEqual(
      [...names].sort(),
    );
    expect(stderr).toContain('4 images renamed because several images have the same name');
    server.objects = [...server.objects].reverse();
    const again = await download(server, '--name "{accession_no}"', folder);
    expect(again.requested).toEqual([]);
    expect((await readRows(folder, 'index.ndjson')).map(({ file }) => String(file)).sort()).toEqual(
      [...names].sort(),
    );
  });

  it('never equals the name of an index or report file', async () => {
    const own = ['index.csv', 'index.ndjson', 'report.csv', 'report.ndjson', 'INDEX.CSV'];
    const server = await startImageServer([
      ...own.map((accession_no, n) => ({
        id: String(n),
        fields: { accession_no },
        images: [{ url: `/${n}.png` }],
      })),
      { id: 'lost', fields: { accession_no: 'lost' }, images: [{ url: '/lost.png' }] },
    ]);
    server.respond.set('/lost.png', (_, response) => response.writeHead(404).end());
    const { folder, code } = await download(server, '--name "{accession_no}/{id}"');
    expect(code).toBe(6);
    expect(await listFiles(folder)).toEqual(expect.arrayContaining(own.slice(0, 4)));
    expect((await readRows(folder, 'index.ndjson')).map(({ file }) => file)).toEqual(
      own.map((name, n) => `_${name}/${n}.png`),
    );
    expect((await readRows(folder, 'report.ndjson')).map(({ recordId }) => recordId)).toEqual(['lost']);
  });

  it('contains folders if --name contains slashes; --prune deletes empty folders', async () => {
    const server = await startImageServer(objects(2));
    const { folder } = await download(server, '--name "{copyright}/{id}.{ext}" --prune');
    expect(await listFiles(folder)).toEqual(['CC0/2.png', 'In_copyright/1.png', 'index.csv', 'index.ndjson']);
    server.objects = objects(1);
    await download(server, '--name "{copyright}/{id}.{ext}" --prune', folder);
    expect((await readdir(folder)).sort()).toEqual(['In_copyright', 'index.csv', 'index.ndjson']);
  });

  it('never replaces a file that opac did not download', async () => {
    const server = await startImageServer(objects(1));
    const folder = await createFolder();
    await writeFile(join(folder, 'A1-1.png'), 'mine');
    const { code } = await download(server, '', folder);
    expect(code).toBe(6);
    expect(await readFile(join(folder, 'A1-1.png'), 'utf8')).toBe('mine');
    expect((await readRows(folder, 'report.ndjson'))[0]?.reason).toBe(
      '"A1-1.png" already exists, and opac did not download it',
    );
  });

  it('does not lead to files outside the folder if the index was edited', async () => {
    const server = await startImageServer(objects(1));
    const outer = await createFolder();
    await writeFile(join(outer, 'precious.png'), 'mine');
    const folder = join(outer, 'pictures');
    await mkdir(folder);
    await writeFile(join(folder, 'index.ndjson'), `${JSON.stringify({ file: '../precious.png' })}\n{"half`);
    expect((await download(server, '--prune', folder)).code).toBe(0);
    expect(await readFile(join(outer, 'precious.png'), 'utf8')).toBe('mine');
  });
});

describe('a download that cannot start', () => {
  it.each([
    ['--name "{acession_no}"', 'no record has a field "acession_no"; did you mean "accession_no"?'],
    ['--name "../{id}"', 'leads outside the folder'],
    ['--name "x"', 'contains no field'],
    ['--rights copyrigt=CC0', 'no record has a field "copyrigt"; did you mean "copyright"?'],
    ['--rights CC0', 'invalid rights rule "CC0"'],
    ['--rights copyright=CC0,', 'invalid rights rule'],
    ['--derivative LAGRE', 'no image has a derivative "LAGRE"; did you mean "LARGE"?'],
    ['--min-width 0', 'invalid value "0" for --min-width; must be an integer of at least 1'],
    ['-o x.csv', '--output has no effect in this command'],
  ])('exits with 2 before any request for images: %s', async (options, message) => {
    const server = await startImageServer(objects(2));
    const { code, stderr, requested } = await download(server, options);
    expect([code, requested]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });

  it('writes no files if the deployment does not respond', async () => {
    const outer = await createFolder();
    const { code, stderr } = await opac(
      splitCommandLine(`images download ${join(outer, 'p')} --base-url http://127.0.0.1:1 --retries 0`),
    );
    expect([code, await readdir(outer)]).toEqual([5, []]);
    expect(stderr).not.toContain('downloaded images are in');
  });

  it('exits with 1 and requests no images if the parent folder does not exist', async () => {
    const outer = await createFolder();
    const server = await startImageServer(objects(1));
    const missing = await download(server, '', join(outer, 'no', 'such'));
    expect([missing.code, missing.requested]).toEqual([1, []]);
    expect(missing.stderr).toContain('cannot write in "FOLDER": the folder or file does not exist');
  });

  it('reports that another run is writing in the folder', async () => {
    const server = await startImageServer(objects(1));
    let release = () => {};
    server.respond.set('/i/1.png', (_, response) => {
      release = () => void response.end(createImageFor('/i/1.png'));
    });
    const folder = join(await createFolder(), 'pictures');
    const first = download(server, '', folder);
    while (server.asked().length === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await download(server, '', folder);
    expect(second.stderr).toContain('another run is writing');
    release();
    expect((await first).code).toBe(0);
  });
});

describe('--min-width and --max-bytes', () => {
  it('exclude images and list them in the report, with exit code 0', async () => {
    const server = await startImageServer([
      { id: '1', images: [{ url: '/small.png', size: [50, 50] }] },
      { id: '2', images: [{ url: '/large.png' }] },
      { id: '3', images: [{ url: '/a.png' }, { url: '/b.png' }] },
    ]);
    server.respond.set('/large.png', (_, response) =>
      response.end(Buffer.concat([createSmallPng(1), Buffer.alloc(50_000)])),
    );
    const { code, folder, requested, stderr } = await download(
      server,
      '--min-width 60 --max-bytes 40000 --limit 3',
    );
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('2 images skipped because of --min-width or --max-bytes'),
    ]);
    expect(requested.sort()).toEqual(['/a.png', '/large.png']);
    expect(
      (await readRows(folder, 'report.ndjson')).map(({ recordId, reason }) => [recordId, reason]),
    ).toEqual([
      ['1', 'the image is 50 pixels wide'],
      ['2', 'the image has more than 40000 bytes'],
    ]);
    expect(await listFiles(folder)).toContain('3-1.png');
  });
});

it('counts --offset and --limit in images', async () => {
  const images = (...urls: string[]) => urls.map((url) => ({ url }));
  const server = await startImageServer([
    { id: '1', fields: {}, images: images('/a.png', '/b.png', '/c.png') },
    { id: '2', fields: {}, images: images('/d.png', '/e.png') },
  ]);
  const { code, requested } = await download(server, '--offset 2 --limit 2');
  expect({ code, requested: requested.toSorted() }).toEqual({ code: 0, requested: ['/c.png', '/d.png'] });
});

describe('a download without images', () => {
  it('suggests a similar value and creates no folder, but keeps an empty one', async () => {
    const folder = join(await createFolder(), 'pictures');
    const line = `images download ${folder} --where classification=Photograph`;
    const { code, stderr } = await runAgainstMuseum(line);
    expect([code, stderr]).toEqual([
      0,
      'no images match\nno objects have "Photograph" in classification; did you mean "Photographs"?\n',
    ]);
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    await mkdir(folder);
    expect(await runAgainstMuseum(line)).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual([]);
  });
});
