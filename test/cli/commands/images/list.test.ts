/** `opac images list`: one row for each image of the matching records. */
import { describe, expect, it } from 'vitest';
import { startMuseum } from '../../../../src/mock/index.js';
import { collectOutcomes, splitLines } from '../../../e2e/run-against-museum.js';
import { runAgainstMuseum } from '../../run-against-museum.js';

const REFUSED = [
  ['images list --kind object', 'invalid value "object" for --kind; did you mean "objects"?'],
  ['images list --columns copyright', 'column "copyright" does not exist; did you mean "image@copyright"?'],
  [
    'images list --columns id,rights',
    'choose from recordType, recordId, accession_no, title, imageId, position, caption, colors, labels, image@copyright,',
  ],
  ['images list --columns acession_no', 'column "acession_no" does not exist; did you mean "accession_no"?'],
  ['images list --limit 0', 'invalid value "0" for --limit; must be an integer of at least 1'],
  ['images lst', 'did you mean'],
] as const;

interface WireImage {
  readonly imageId: string;
  readonly imageDerivatives: readonly { readonly identifier: string; readonly url: string }[];
}
interface WireRecord {
  readonly opacObjectId: string;
  readonly imagesCollection: { readonly images: readonly WireImage[] };
}

/** Returns record id, image id and position of each image of the objects. Reads the museum without the client. */
async function readImageRows(): Promise<string[]> {
  const museum = await startMuseum({ maxPageSize: 1000 });
  try {
    const response = await fetch(`${museum.url}/api/v3/opacobjects?view=detail&limit=1000`);
    const { opacObjects } = (await response.json()) as { opacObjects: readonly WireRecord[] };
    return opacObjects.flatMap(({ opacObjectId, imagesCollection }) =>
      imagesCollection.images.map(({ imageId }, index) => `${opacObjectId} ${imageId} ${index + 1}`),
    );
  } finally {
    await museum.close();
  }
}

describe('images list', () => {
  it('returns every image once, in the order of the records', async () => {
    const { stdout, code } = await runAgainstMuseum(
      'images list --all --page-size 30 -f tsv --columns recordId,imageId,position',
    );
    expect(code).toBe(0);
    expect(splitLines(stdout).slice(1)).toEqual(
      (await readImageRows()).map((row) => row.replaceAll(' ', '\t')),
    );
  });

  it('returns the same images as ids, json and ndjson, and as many rows in csv', async () => {
    const all = (await readImageRows()).slice(0, 7);
    const ids = all.map((row) => row.split(' ')[1]);
    const {
      ids: asIds,
      json,
      ndjson,
      csv,
    } = await collectOutcomes(
      ['ids', 'json', 'ndjson', 'csv'].map((format) => [format] as const),
      async ([format]) => (await runAgainstMuseum(`images list --limit 7 -f ${format}`)).stdout,
    );
    const imageIds = (rows: readonly { imageId: string }[]) => rows.map(({ imageId }) => imageId);
    expect(splitLines(asIds ?? '')).toEqual(ids);
    expect(imageIds(JSON.parse(json ?? ''))).toEqual(ids);
    expect(imageIds(splitLines(ndjson ?? '').map((line) => JSON.parse(line)))).toEqual(ids);
    expect(splitLines(csv ?? '').length).toBe(8);
    expect(csv).toMatch(/^recordType,recordId,accession_no,title,imageId,position,caption,colors,labels,/);
    expect(csv).toContain(',LARGE.url,LARGE.width,LARGE.height,');
  });

  it('counts --limit in images, and prints a note if there are more', async () => {
    const { stdout, stderr } = await runAgainstMuseum('images list --limit 1 -f ids');
    expect(splitLines(stdout)).toHaveLength(1);
    expect(stderr).toBe('showing 1 image; use --all for all of them\n');
    const total = (await readImageRows()).length;
    expect((await runAgainstMuseum(`images list --limit ${total} -f ids`)).stderr).toBe('');
  });

  it.each([1, 4, 7])('returns each image once with --limit %i and increasing --offset', async (limit) => {
    const all = await readImageRows();
    const parts = Math.ceil(all.length / limit) + 1;
    const rows: string[] = [];
    // Pages of 2 records, so that a larger --limit needs several pages.
    for (let part = 0; part < Math.min(parts, 12); part++) {
      const range = `--limit ${limit} --offset ${part * limit} --page-size 2`;
      const { code, stdout } = await runAgainstMuseum(
        `images list ${range} -f tsv --columns recordId,imageId,position`,
      );
      expect(code).toBe(0);
      rows.push(...splitLines(stdout).slice(1));
    }
    expect(rows).toEqual(all.slice(0, 12 * limit).map((row) => row.replaceAll(' ', '\t')));
  });

  it('accepts its own columns in --where', async () => {
    const compare = async (own: string, other: string) => {
      const line = `images list --limit 3 -f ids --where ${own}`;
      const { code, stdout } = await runAgainstMuseum(line);
      expect([code, stdout]).toEqual([0, (await runAgainstMuseum(line.replace(own, other))).stdout]);
      expect(splitLines(stdout)).toHaveLength(3);
    };
    await compare('labels=Plant', 'label=Plant');
    const caption = await runAgainstMuseum([
      'images',
      'list',
      '--where',
      'caption=Unfinished study of a fern',
      '-f',
      'ids',
    ]);
    expect(splitLines(caption.stdout)).toEqual(['700010']);
  });

  it('returns no images if --offset is the number of images', async () => {
    const total = (await readImageRows()).length;
    const last = await runAgainstMuseum(`images list --all --offset ${total - 1} -f ids`);
    expect(splitLines(last.stdout)).toHaveLength(1);
    const none = await runAgainstMuseum(`images list --all --offset ${total} -f ids`);
    expect(none).toMatchObject({ code: 0, stdout: '' });
  });

  it('prints the field of --name-field, and accepts columns of images and of records', async () => {
    const { stdout } = await runAgainstMuseum('images list --limit 1 --name-field maker_name -f json');
    expect(JSON.parse(stdout)[0].maker_name).toBe('Sarah Featon; Georgina Hetley');
    const { stdout: tsv } = await runAgainstMuseum(
      'images list --limit 1 -f tsv --columns accession_no,image@copyright,NANO.width,production_date@earliest_date',
    );
    expect(splitLines(tsv)[1]).toBe('00345\tNo known copyright restrictions\t23\t1882-01-01Z');
  });

  it('sends hasImages only for objects and persons, whose endpoints support it', async () => {
    const hasImages = await collectOutcomes(
      ['objects', 'persons', 'venues', 'records'].map((kind) => [kind] as const),
      async ([kind]) =>
        (await runAgainstMuseum(`images list --kind ${kind}`)).requests[0]?.query.get('hasImages'),
    );
    expect(hasImages).toEqual({ objects: 'true', persons: 'true', venues: null, records: null });
  });

  it('exits with 2 and a message for invalid options, columns and commands', async () => {
    const refused = await collectOutcomes(REFUSED, async ([line, message]) => {
      const { code, stdout, stderr } = await runAgainstMuseum(line);
      return { code, stdout, error: stderr.includes(message) ? message : stderr };
    });
    expect(refused).toEqual(
      Object.fromEntries(REFUSED.map(([line, error]) => [line, { code: 2, stdout: '', error }])),
    );
  });

  it('prints a note if no images match', async () => {
    const { stdout, stderr, code } = await runAgainstMuseum('images list zzzz -f json');
    expect([stdout, stderr, code]).toEqual(['[]\n', 'no images match\n', 0]);
  });
});
