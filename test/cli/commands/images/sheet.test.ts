/** `opac images sheet` writes one complete HTML file, and escapes all values of the records. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, splitCommandLine } from '../../../e2e/opac.js';
import { createImageFor, startImageServer, type TestObject } from '../../../images/image-server.js';
import { runAgainstMuseum } from '../../run-against-museum.js';
import { opac } from '../../run-in-process.js';

/** Creates a sheet, and returns the outcome and the HTML. */
async function createSheet(objects: readonly TestObject[], options = '') {
  const server = await startImageServer(objects);
  const file = join(await createFolder(), 'sheet.html');
  const line = [
    'images',
    'sheet',
    '-o',
    file,
    ...splitCommandLine(options),
    '--base-url',
    server.url,
    '--retries',
    '0',
  ];
  const result = await opac(line);
  return { ...result, server, html: await readFile(file, 'utf8').catch(() => '') };
}

const ATTACK = `"><script>alert(1)</script><img src=x onerror=alert(2)>' onload='x`;

describe('a contact sheet', () => {
  it('contains its thumbnails, and loads no other files', async () => {
    const { html, code, stderr, server } = await createSheet([
      {
        id: '1',
        fields: { accession_no: 'A1', name: 'Whāriki' },
        images: [{ url: '/a.png', caption: 'front' }],
      },
      { id: '2', fields: { name: 'Bowl' }, images: [{ url: '/b.png' }] },
    ]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^2 images in .*sheet\.html\n$/)]);
    expect(html.match(/<figure /g)).toHaveLength(2);
    expect(html).toContain(`src="data:image/png;base64,${createImageFor('/a.png').toString('base64')}"`);
    expect(html).toContain(
      `<a href="${server.url}/objects/1"><b>A1</b></a><span class="title">Whāriki</span>`,
    );
    expect(html).toContain('<b>object 2</b>');
    expect(html).toContain('img-src data:;');
    expect(html.match(/<(link|iframe|object|embed|base)\b/)).toBeNull();
  });

  it('shows only images with allowed rights', async () => {
    const image = (url: string, copyright: string) => ({
      url,
      attributes: { copyright },
    });
    const objects = [
      { id: '1', fields: { name: 'Bowl' }, images: [image('/a.png', 'CC0'), image('/b.png', 'Somebody')] },
    ];
    const { html, code, stderr, server } = await createSheet(objects, '--rights image@copyright=CC0');
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^1 image in .*\n1 image skipped because of --rights\n$/),
    ]);
    expect(html.match(/<figure /g)).toHaveLength(1);
    expect(server.asked()).toEqual(['/a.png']);
    expect(html).toContain('<title>Images of objects: image@copyright: CC0</title>');
    const none = await createSheet(objects, '--rights image@copyright=CC-BY');
    expect(none.stderr).toContain(
      'excludes all images; for the first one, image@copyright is "CC0", which --rights does not allow',
    );
  });

  it('escapes the title and all values of a record', async () => {
    const { html } = await createSheet(
      [
        {
          id: ATTACK,
          fields: { accession_no: ATTACK, name: ATTACK },
          images: [{ url: '/a.png', caption: ATTACK }, { url: 'javascript:alert(3)' }],
        },
      ],
      '--group-by name --title "<script>x</script>"',
    );
    const scripts = html.match(/<script/gi) ?? [];
    expect(scripts).toHaveLength(1);
    expect(html.match(/<img [^>]*>/g)).toEqual([
      expect.stringMatching(/^<img src="data:image\/png;base64,[^"]*" alt="[^"<>]*" decoding="async">$/),
    ]);
    expect(html.match(/(href|src)="(?!https?:|data:image\/)/g)).toBeNull();
    expect(html.match(/ on\w+="/g)).toBeNull();
  });

  it('contains the URLs of thumbnails with --link, and opac does not request them', async () => {
    const { html, server } = await createSheet([{ id: '1', images: [{ url: '/a.png' }] }], '--link');
    expect(html).toContain(`<img src="${server.url}/a.png" alt="object 1" decoding="async" loading="lazy">`);
    expect(server.asked()).toEqual([]);
  });

  it('groups images under headings with --group-by, images without a value last', async () => {
    const { html } = await createSheet(
      [
        { id: '1', images: [{ url: '/a.png' }] },
        { id: '2', fields: { kind: 'Vase' }, images: [{ url: '/b.png' }] },
        { id: '3', fields: { kind: 'Bowl' }, images: [{ url: '/c.png' }] },
      ],
      '--group-by kind',
    );
    expect([...html.matchAll(/<h2>(.*?) </g)].map(([, heading]) => heading)).toEqual([
      'Bowl',
      'Vase',
      '(no value)',
    ]);
  });

  it('sorts images by the hue of their main colour with --by-color, greys last', async () => {
    const { stdout } = await runAgainstMuseum('images sheet --by-color --link');
    const first = [
      ...stdout.matchAll(/<span class="swatches"[^>]*><i style="background:#([0-9a-f]{6})"/g),
    ].map(([, hex]) => hex ?? '');
    expect(first.length).toBeGreaterThan(100);
    const hues = first.map(computeHue).filter((hue) => hue !== undefined);
    expect(hues).toEqual([...hues].sort((one, other) => one - other));
    const greys = first.slice(hues.length);
    expect(greys.length).toBeGreaterThan(0);
    expect(greys.filter((hex) => computeHue(hex) !== undefined)).toEqual([]);
  });

  it('marks a thumbnail that could not be downloaded, and opac exits with 6', async () => {
    const { code, stderr, html } = await createSheet([
      { id: '1', images: [{ url: 'http://127.0.0.1:1/a.png' }] },
      { id: '2', images: [{ url: '/b.png' }] },
    ]);
    expect(code).toBe(6);
    expect(stderr).toContain('1 of 2 thumbnails could not be downloaded; first error: object 1: ');
    expect(html).toContain('<span class="missing">');
    expect(html).toContain('</html>');
  });

  it('is refused with an unknown field, --format csv, a .csv file or a terminal as output', async () => {
    const objects = [{ id: '1', fields: { name: 'x' }, images: [{ url: '/a.png' }] }];
    expect((await createSheet(objects, '--group-by nmae')).stderr).toContain(
      'no record has a field "nmae"; did you mean "name"?',
    );
    expect((await createSheet(objects, '-f csv')).stderr).toContain('--format has no effect in this command');
    expect((await opac(['images', 'sheet', '--mock', '-o', 'sheet.csv'])).stderr).toContain(
      'a contact sheet can be written only as HTML; write it to a file with -o sheet.html',
    );
    expect((await opac(['images', 'sheet', '--mock'], { columns: 120 })).stderr).toContain(
      'write it to a file with -o sheet.html',
    );
  });
});

/** Returns the hue in degrees, or undefined for greys. */
function computeHue(hex: string): number | undefined {
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const light = (most + least) / 2;
  if (most === least || (most - least) / (1 - Math.abs(2 * light - 1)) < 0.12) return undefined;
  const turn =
    most === r
      ? (g - b) / (most - least)
      : most === g
        ? (b - r) / (most - least) + 2
        : (r - g) / (most - least) + 4;
  return (turn * 60 + 360) % 360;
}

it('counts --offset and --limit in images', async () => {
  const images = (...urls: string[]) => urls.map((url) => ({ url }));
  const { html } = await createSheet(
    [
      { id: '1', fields: {}, images: images('/a.png', '/b.png', '/c.png') },
      { id: '2', fields: {}, images: images('/d.png', '/e.png') },
    ],
    '--offset 2 --limit 2',
  );
  const shown = (url: string) => html.includes(createImageFor(url).toString('base64'));
  expect(['/a.png', '/b.png', '/c.png', '/d.png', '/e.png'].filter(shown)).toEqual(['/c.png', '/d.png']);
});

describe('opac images sheet', () => {
  it('writes the maker, date and credit line, and the search as the title', async () => {
    const fields = { name: 'Bowl', maker_name: 'Ann', production_date: '1900', credit_line: 'Gift of Bo' };
    const { html } = await createSheet(
      [{ id: '1', fields, images: [{ url: '/a.png' }] }],
      'bowl --facet classification=Ceramics',
    );
    for (const text of ['Ann', '1900', 'Gift of Bo'])
      expect(html).toContain(`<span class="caption">${text}</span>`);
    expect(html).toContain('<h1>Images of objects: bowl, classification: Ceramics</h1>');
  });

  it('suggests a similar value if no image matches', async () => {
    const file = join(await createFolder(), 'sheet.html');
    const { stderr } = await opac(
      splitCommandLine(`images sheet -o ${file} --mock --where classification=Photograph`),
    );
    expect(stderr).toContain('did you mean "Photographs"?');
  });
});
