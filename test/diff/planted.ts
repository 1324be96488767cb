/** Writes two exports that differ by known edits, and by noise that a comparison must ignore. */
import type { WriteStream } from 'node:fs';

type Record_ = ReturnType<typeof recordOf>;

/** The kinds of edits. Each function edits a record and returns the expected report; undefined for noise. */
const EDITS: Readonly<Record<string, (record: Record_, n: number) => string | undefined>> = {
  'value changed': (record, n) => {
    record.opacObjectFieldSets[1].opacObjectFields[0].value = `Renamed ${n}`;
    return 'name changed';
  },
  'value added': (record) => {
    record.opacObjectFieldSets[2].opacObjectFields.push({ value: 'a further maker' });
    return 'maker_name changed';
  },
  'value removed': (record) => {
    record.opacObjectFieldSets[2].opacObjectFields.pop();
    return 'maker_name changed';
  },
  'value moved': (record) => {
    record.opacObjectFieldSets[2].opacObjectFields.reverse();
    return 'maker_name moved';
  },
  'first value': (record, n) => {
    record.opacObjectFieldSets[3].opacObjectFields.push({ value: `found ${n}` });
    return 'inscription added';
  },
  'image added': (record, n) => {
    record.imagesCollection.images.push(imageOf(`new${n}`));
    return `image.new${n} added`;
  },
  'image removed': (record) => `image.${record.imagesCollection.images.pop()?.imageId} removed`,
  'image edited': (record) => {
    const [image] = record.imagesCollection.images;
    image.caption = 'another caption';
    return `image.${image.imageId}.caption changed`;
  },
  'image moved': (record) => {
    record.imagesCollection.images.reverse();
    return 'image moved';
  },
  'relationship added': (record, n) => {
    record.relationshipsCollection.relationships[0].relatedRecords.push({
      relatedRecordId: `p${n}`,
      title: 'New',
    });
    return `relationship.maker.p${n} added`;
  },
  'relationship edited': (record) => {
    const [related] = record.relationshipsCollection.relationships[0].relatedRecords;
    related.title = 'Renamed person';
    return `relationship.maker.${related.relatedRecordId}.title changed`;
  },
  'attribute changed': (record, n) => {
    record.opacObjectFieldSets[4].opacObjectFields[0].opacObjectFieldAttributes = [
      { key: 'earliest_date', value: String(n) },
    ];
    return 'production_date@earliest_date changed';
  },
  'collection changed': (record) => {
    record.opacCollection.opacCollectionId = '99';
    return 'collection changed';
  },
  'unknown key': (record, n) => {
    Object.assign(record, { published: `on day ${n}` });
    return 'record.published added';
  },
  'noise: type spelling': (record) => {
    Object.assign(record, { opacObjectId: Number(record.opacObjectId) });
    const [image] = record.imagesCollection.images;
    for (const derivative of image.imageDerivatives)
      Object.assign(derivative, { width: Number(derivative.width) });
    return undefined;
  },
  'noise: key and field order': (record) => {
    record.opacObjectFieldSets.reverse();
    return undefined;
  },
  'noise: derivative order': (record) => {
    record.imagesCollection.images[0].imageDerivatives.reverse();
    return undefined;
  },
  'noise: score': (record, n) => {
    record.objectSearchScore = n + 0.5;
    return undefined;
  },
  'noise: no value': (record) => {
    record.opacObjectFieldSets.splice(3, 1);
    return undefined;
  },
  'noise: addresses': (record, n) => {
    for (const image of record.imagesCollection.images)
      for (const derivative of image.imageDerivatives) derivative.url += `?v=${n}`;
    return undefined;
  },
};

const KINDS = Object.keys(EDITS);

export interface Plan {
  readonly records: number;
  /** Number of records with each kind of edit, of added records, and of removed records. */
  readonly each: number;
}

/** Writes the two exports. The newer one has another order. Returns the expected differences, one per line, sorted. */
export async function writePlantedExports(
  { records, each }: Plan,
  older: WriteStream,
  newer: WriteStream,
): Promise<string[]> {
  const expected: string[] = [];
  const edited = KINDS.length * each;
  const step = stepFor(records);
  for (let n = 0; n < records - each; n++) await write(older, recordOf(n));
  for (let m = 0; m < records; m++) {
    const n = (m * step) % records;
    const record = recordOf(n);
    if (n >= records - each) expected.push(`${n} added`);
    else if (n >= records - 2 * each) {
      expected.push(`${n} removed`);
      continue;
    } else if (n < edited) {
      const found = EDITS[KINDS[n % KINDS.length] as string]?.(record, n);
      if (found) expected.push(`${n} ${found}`);
    }
    await write(newer, record);
  }
  await Promise.all([older, newer].map((stream) => new Promise<void>((resolve) => stream.end(resolve))));
  return expected.sort();
}

/** Returns a step that reaches every record: it has no common divisor with the number of records. */
function stepFor(records: number): number {
  const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
  return [7919, 6101, 101, 7].find((step) => divisor(step, records) === 1) ?? 1;
}

async function write(stream: WriteStream, record: unknown): Promise<void> {
  if (stream.write(`${JSON.stringify(record)}\n`)) return;
  await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
}

function recordOf(n: number) {
  return {
    opacObjectId: String(n),
    objectSearchScore: 1,
    opacCollection: { opacCollectionId: String(n % 5), collectionName: `Collection ${n % 5}` },
    slug: `object-${n}`,
    opacObjectFieldSets: [
      set('accession_no', [`A${String(n).padStart(6, '0')}`]),
      set('name', [`Object ${n}`]),
      set('maker_name', ['Leopold Blaschka', 'Rudolf Blaschka', 'Rita Angus']),
      set('inscription', ['']),
      set(
        'production_date',
        [`c. ${1500 + (n % 500)}`],
        [{ key: 'earliest_date', value: `15${n % 100}-01` }],
      ),
    ] as [Set_, Set_, Set_, Set_, Set_],
    relationshipsCollection: {
      relationships: [
        {
          relationshipId: 'maker',
          relatedRecordType: 'person',
          relatedRecords: [
            { relatedRecordId: `r${n}`, title: 'Rita Angus' },
            { relatedRecordId: `s${n}`, title: 'Leopold Blaschka' },
          ] as [Related, ...Related[]],
          totalRelatedRecords: 2,
        },
      ] as [
        {
          relationshipId: string;
          relatedRecordType: string;
          relatedRecords: [Related, ...Related[]];
          totalRelatedRecords: number;
        },
      ],
      totalRelationships: 1,
    },
    imagesCollection: { images: [imageOf(`i${n}`), imageOf(`j${n}`)] as [Image, ...Image[]], totalImages: 2 },
  };
}

interface Related {
  relatedRecordId: string;
  title: string;
}
type Image = ReturnType<typeof imageOf>;
interface Field {
  value: string;
  opacObjectFieldAttributes?: { key: string; value: string }[];
}
interface Set_ {
  identifier: string;
  opacObjectFields: [Field, ...Field[]];
}

function set(
  identifier: string,
  values: readonly string[],
  attributes?: { key: string; value: string }[],
): Set_ {
  const fields = values.map(
    (value): Field => ({ value, ...(attributes && { opacObjectFieldAttributes: attributes }) }),
  );
  return { identifier, opacObjectFields: fields as [Field, ...Field[]] };
}

function imageOf(id: string) {
  const sizes = ['SMALL', 'LARGE', 'TINY'];
  return {
    imageId: id,
    caption: `caption of ${id}`,
    imageDerivatives: sizes.map((identifier, n) => ({
      identifier,
      url: `https://images.example.org/${identifier}/${id}.jpg`,
      width: String(100 * (n + 1)),
      height: '100',
    })),
    cssColors: [{ hex: 'aabbcc', presence: '12.50', colorName: 'lightsteelblue' }],
  };
}
