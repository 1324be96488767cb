/** `opac objects report` writes one page with correct figures, which loads no other files and escapes all values. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, splitCommandLine } from '../../../e2e/opac.js';
import {
  createImageFor,
  createTiff,
  startImageServer,
  type TestObject,
} from '../../../images/image-server.js';
import { createMirror } from '../../../mirror/mirror-of.js';
import { createRecords, SmallMuseum } from '../../../mirror/small-museum.js';
import { runAgainstMuseum } from '../../run-against-museum.js';
import { opac } from '../../run-in-process.js';

async function run(line: string, source: readonly string[]) {
  const file = join(await createFolder(), 'page.html');
  const result = await opac([...splitCommandLine(line), '-o', file, ...source, '--retries', '0']);
  const html = await readFile(file, 'utf8').catch(() => undefined);
  return { ...result, html: html ?? '', isWritten: html !== undefined };
}

async function reportOn(objects: readonly TestObject[], line = 'objects report') {
  const server = await startImageServer(objects);
  return { server, ...(await run(line, ['--base-url', server.url])) };
}

/** Returns the rows of the chart with this title: label and count. */
function readChart(html: string, title: string): [string, string][] {
  const section = html.split('<section>').find((each) => each.startsWith(`<h2>${title}</h2>`)) ?? '';
  const row = /<th scope="row">(.*?)<\/th>.*?<td class="number">(.*?)<\/td>/g;
  return [...section.matchAll(row)].map(([, label = '', count = '']) => [
    label.replaceAll('&amp;', '&'),
    count,
  ]);
}

const ATTACK = `"><script>alert(1)</script><img src=x onerror=alert(2)>' onload='x`;

describe('a report', () => {
  it('has the same counts as the service', async () => {
    const { html, code } = await run('objects report', ['--mock']);
    expect(code).toBe(0);
    expect(html).toContain('163 objects, 113 with images (69.3%)');
    const { stdout } = await runAgainstMuseum('facets get objects classification -f tsv');
    const counted = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t').slice(2));
    expect(readChart(html, 'Classification').slice(0, -1)).toEqual(counted);
    const sum = readChart(html, 'Decade').reduce((total, [, count]) => total + Number(count), 0);
    expect(sum).toBe(163);
    expect(html).toContain('Fields with a text such as &quot;date not known&quot; count as empty.');
    expect(html.replace(/<[^>]*>/g, ' ')).toMatch(/Date made\s+149\s+91\.4%/);
    // The page shows no relationships, because readers do not know their names.
    expect(html).not.toContain('object_prod_pri_person');
    const empty = await runAgainstMuseum('objects count --where maker_name=');
    expect(readChart(html, 'Maker').at(-1)).toEqual(['no value', empty.stdout.split('\t').at(-1)?.trim()]);
  });

  it('has the escaped text of --title as its heading', async () => {
    const { html } = await run(`objects report --no-thumbnails --title ${ATTACK.replaceAll(' ', '_')}`, [
      '--mock',
    ]);
    expect(html).toContain('<h1>&gt;&lt;script&gt;alert(1)');
  });

  it('shows the search, the source, and the newest acquisitions with thumbnails', async () => {
    const { html, code, stderr } = await reportOn(
      [
        { id: '1', fields: { name: 'Old', acquisition_year: '1900' }, images: [{ url: '/1.png' }] },
        { id: '2', fields: { name: 'New', acquisition_year: '2020', maker_name: 'Ann' }, images: [] },
        { id: '3', fields: { name: 'Seen', acquisition_year: '2020' }, images: [{ url: '/3.png' }] },
        { id: '4', fields: { name: 'Unknown' }, images: [] },
      ],
      'objects report fern --has-images',
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining('report on 4 objects')]);
    expect(html).toContain('<h1>Objects: fern, with images</h1>');
    expect(html).toMatch(/Source: http:\/\/127\.0\.0\.1:\d+, \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect([...html.matchAll(/<b>(.*?)<\/b>/g)].map(([, title]) => title)).toEqual(['Seen', 'New', 'Old']);
    expect(html).toContain(`src="data:image/png;base64,${createImageFor('/3.png').toString('base64')}"`);
    expect(readChart(html, 'Year of acquisition')).toEqual([
      ['1900', '1'],
      ['2020', '2'],
      ['unknown date', '0'],
      ['no value', '1'],
    ]);
  });

  it('contains no scripts and no URLs to load, and escapes all values', async () => {
    const fields = { name: ATTACK, classification: ATTACK, maker_name: ATTACK, [ATTACK]: 'x' };
    const { html } = await reportOn([
      { id: ATTACK, fields: { ...fields, acquisition_year: '2000' }, images: [{ url: '/1.png' }] },
    ]);
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/<script|<link|<iframe|<form| on\w+="|javascript:|url\(/);
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url?.slice(0, 15))).toEqual([
      'data:image/png;',
    ]);
  });

  it('has at most 300 kB, because it omits large thumbnails and cuts long texts', async () => {
    const long = 'ü&<'.repeat(50_000);
    const objects = [...Array(60).keys()].map(
      (n): TestObject => ({
        id: `${n}`,
        fields: {
          name: `${n} ${long}`,
          acquisition_year: `${2000 + n}`,
          maker_name: `${n} ${long}`,
          [`f${n}`]: long,
        },
        images: [{ url: `/${n}.tif` }],
      }),
    );
    const server = await startImageServer(objects);
    for (let n = 0; n < 60; n++)
      server.respond.set(
        `/${n}.tif`,
        (_, response) => void response.end(createTiff(4, 'LE', n % 2 ? 50 : 2000)),
      );
    const { code, html } = await run('objects report', ['--base-url', server.url]);
    expect(code).toBe(0);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(300_000);
    expect(html.match(/<img /g)).toHaveLength(4);
  });

  it('is written with exit code 6 if a thumbnail is missing', async () => {
    const objects = [{ id: '1', fields: { acquisition_year: '1900' }, images: [{ url: '/1.png' }] }];
    const server = await startImageServer(objects);
    server.respond.set('/1.png', (_, response) => void response.writeHead(404).end());
    const broken = await run('objects report', ['--base-url', server.url]);
    expect(broken).toMatchObject({ code: 6, isWritten: true });
    expect(broken.stderr).toContain('1 thumbnail could not be downloaded; first error: object 1: ');
    expect(await run('objects report --no-thumbnails', ['--base-url', server.url])).toMatchObject({
      code: 0,
    });
  });

  it('is not written if records are missing', async () => {
    const museum = await SmallMuseum.start();
    museum.records.objects = createRecords(250);
    museum.fault = ({ offset }) => (offset >= 100 ? { status: 500, body: '{}' } : undefined);
    const { code, isWritten } = await run('objects report', ['--base-url', museum.url]);
    expect(code).toBeGreaterThan(3);
    expect(isWritten).toBe(false);
  });

  it('is not written if the service lists only ids', async () => {
    const { code, isWritten } = await reportOn([{ id: '1', images: [] }]);
    expect([code, isWritten]).toEqual([5, false]);
  });

  it('shows the growth of a mirror, also for selected records', async () => {
    const museum = await SmallMuseum.start();
    const mirror = await createMirror(museum);
    for (const size of [3, 5, 8]) {
      museum.records.objects = createRecords(size);
      expect(await mirror.sync('--keep', '5')).toMatchObject({ code: 0 });
    }
    const { html } = await run('objects report', ['--from', mirror.folder]);
    expect(readChart(html, 'Growth').map(([, count]) => count)).toEqual(['3', '5', '8']);
    expect(html).toMatch(/Source: http:.*; mirror, exported \d{4}-/);
    const some = await run('objects report --external-id 1,2,4,8', ['--from', mirror.folder]);
    expect(readChart(some.html, 'Growth').map(([, count]) => count)).toEqual(['2', '3', '4']);
  });

  it.each([
    [
      'objects report -o x.csv',
      /^opac: a report can be written only as HTML; write it to a file with -o report\.html/,
    ],
    ['objects report -o x.csv.gz', /^opac: a report can be written only as HTML/],
    ['persons report -o x.html', /unknown command "persons report"/],
  ])('cannot be written with: %s', async (line, message) => {
    expect(await runAgainstMuseum(line)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});

describe('the HTML page of facets and fields', () => {
  it('shows the counts of values, and of records without a value', async () => {
    const facets = await run('facets list objects --top 3', ['--mock']);
    expect(readChart(facets.html, 'Place made')).toEqual([
      ['Tāmaki Makaurau (Auckland)/Aotearoa New Zealand', '25'],
      ['Łódź/Poland/Europe', '23'],
      ['Kyōto/Japan/Asia', '20'],
      ['no value', '25'],
    ]);
    const fields = await run('objects fields --all', ['--mock']);
    expect(readChart(fields.html, 'Completeness of fields')).toContainEqual(['Accession number', '163']);
    expect(fields.html).toContain('<p>163 records</p>');
    expect((await run('objects fields --sample 10', ['--mock'])).html).toContain('(a sample');
  });

  it('refuses --columns and --dates', async () => {
    expect(await run('objects fields --columns label', ['--mock'])).toMatchObject({
      code: 2,
      isWritten: false,
    });
    expect(await run('objects fields --dates', ['--mock'])).toMatchObject({ code: 2, isWritten: false });
  });
});
