/** Descriptions of data, held against the profiles of Frictionless (datapackage 1.1.10 of npm, MIT, in test/fixtures/frictionless). */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, it } from 'vitest';
import { type ExportSetupOptions, withMuseum } from './export-setup.js';

async function profile(name: string): Promise<ValidateFunction> {
  const file = new URL(`../fixtures/frictionless/${name}.json`, import.meta.url);
  const { $schema: _, ...schema } = JSON.parse(await readFile(file, 'utf8'));
  return new Ajv({ strict: false, validateSchema: false, validateFormats: false, logger: false }).compile(
    schema,
  );
}

interface Resource {
  readonly path: string;
  readonly profile: string;
  readonly hash: string;
  readonly bytes: number;
  readonly records: number;
  readonly rows?: number;
  readonly schema?: {
    readonly primaryKey?: string;
    readonly fields: readonly { name: string; type: string }[];
  };
}

const TEXTS = { id: 'string', title: 'string', accession_no: 'string', 'image.count': 'integer' };
const KEY = 'id';

/** Each with types of some of its columns, and its key. */
const SHAPES: readonly (readonly [
  string,
  ExportSetupOptions,
  Readonly<Record<string, string>>,
  string | undefined,
])[] = [
  ['out.csv', { format: 'csv' }, TEXTS, KEY],
  [
    'all.csv',
    { format: 'csv', columns: 'all' },
    { ...TEXTS, 'production_date@earliest_date': 'string' },
    KEY,
  ],
  ['out.csv.gz', { format: 'csv' }, TEXTS, KEY],
  ['out.tsv', { format: 'tsv', multi: 'json' }, { ...TEXTS, accession_no: 'array' }, KEY],
  ['out.json', { format: 'json' }, {}, undefined],
  ['out.ndjson', { format: 'ndjson' }, {}, undefined],
  ['flat.ndjson', { format: 'ndjson', flat: true }, { id: 'string', fields: 'object', images: 'array' }, KEY],
  [
    'out.xlsx',
    { format: 'xlsx', columns: 'id=Nr,image.count=n,production_date@earliest_date=from' },
    { Nr: 'string', n: 'integer', from: 'any' },
    'Nr',
  ],
  ['out.parquet', { format: 'parquet' }, { id: 'string', collection: 'object', accession_no: 'array' }, KEY],
  ['out.ids', { format: 'ids' }, { id: 'string' }, KEY],
  [
    'split.csv',
    { format: 'csv', split: 100, multi: 'rows=maker_name', columns: 'id,maker_name=maker' },
    { id: 'string', maker: 'string' },
    undefined,
  ],
];

describe('a description of data', () => {
  it.each(SHAPES)('is right for %s', (name, options, types, key) =>
    withMuseum({}, async ({ run, path }) => {
      const { manifest, description } = await run(name, { ...options, describe: true });
      expect(description).toBe(path(`${name}.datapackage.json`));
      const text = await readFile(path(`${name}.datapackage.json`), 'utf8');
      const described = JSON.parse(text) as { licenses?: unknown; resources: readonly Resource[] };
      const isPackage = await profile('data-package');
      isPackage(described);
      expect(isPackage.errors).toBeNull();
      expect(described.licenses).toBeUndefined();
      expect(described.resources.map((each) => each.path)).toEqual(manifest.files.map((file) => file.name));
      for (const resource of described.resources) {
        const isTable =
          resource.profile === 'tabular-data-resource' ? await profile(resource.profile) : undefined;
        isTable?.(resource);
        expect(isTable?.errors ?? null).toBeNull();
        const bytes = await readFile(path(resource.path));
        expect(resource.bytes).toBe(bytes.length);
        expect(resource.hash).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
      }
      const { fields = [], primaryKey } = described.resources[0]?.schema ?? {};
      expect(Object.fromEntries(fields.map((field) => [field.name, field.type]))).toMatchObject(types);
      expect(primaryKey).toBe(key);
    }),
  );

  it('counts records and rows, and keeps what the user wrote', () =>
    withMuseum({}, async ({ run, path }) => {
      const place = path('out.csv.datapackage.json');
      const read = async () => JSON.parse(await readFile(place, 'utf8'));
      const multi = 'rows=maker_name';
      const { manifest } = await run('out.csv', { format: 'csv', multi, describe: true });
      expect((await read()).resources).toMatchObject([{ records: 163, rows: manifest.rows }]);
      const licenses = [{ name: 'CC0-1.0' }];
      await writeFile(place, JSON.stringify({ ...(await read()), licenses, title: 'Ours' }));
      // The second export is not asked to, but a description that is wrong must not stay.
      await run('out.csv', { format: 'csv', columns: 'id,title' });
      expect(await read()).toMatchObject({ licenses, title: 'Ours', resources: [{ rows: 163 }] });
      expect((await read()).resources[0].schema.fields).toHaveLength(2);
    }));

  it('is not written unasked', () =>
    withMuseum({}, async ({ run, path }) => {
      expect((await run('out.csv', { format: 'csv' })).description).toBeUndefined();
      await expect(readFile(path('out.csv.datapackage.json'))).rejects.toThrow('ENOENT');
    }));
});
