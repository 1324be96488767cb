/** Readers of text and bytes from outside: each returns the same as a simpler reader, or throws its documented error. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/client/errors/retry-after.js';
import { MalformedQuery, parseQuery } from '../../src/local/search/parse-query.js';
import { createCellFormatter, parseMultiValueRule } from '../../src/records/cells/multi-value-rule.js';
import { readTable } from '../../src/records/files/read-table.js';
import { parsePageRecord, scanPage } from '../../src/records/json/page-records.js';
import { UsageError } from '../../src/service/errors.js';
import { parseColumns } from '../../src/service/records/columns.js';
import { readRecord } from '../../src/service/records/record.js';
import { buildQuery, parseRawQuery } from '../../src/service/search/query.js';
import { damagedBytes, damagedJson } from './damage.js';
import { runs } from './runs.js';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const sample = readFileSync(join(FIXTURES, 'opacobjects-detail.json'));
const CORPUS = join(FIXTURES, 'corpus');

/** Returns undefined if `attempt` throws an error of the class `expected`. Throws all other errors. */
function catchExpected<T>(expected: new (...words: never[]) => Error, attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof expected) return undefined;
    throw error;
  }
}

describe('the JSON scanner', () => {
  /** Checks that the scanner finds the same records as JSON.parse. Returns false if the scanner declines the page. */
  function agrees(bytes: Buffer): boolean {
    const found = scanPage(bytes, 'objects');
    if (!found) return false;
    const parsed = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const records = found.records.map(parsePageRecord);
    const objects = (parsed.opacObjects as unknown[]).filter(
      (each) => typeof each === 'object' && each !== null && !Array.isArray(each),
    );
    expect(records).toEqual(objects);
    expect(found.total).toBe(parsed.totalObjects);
    return true;
  }

  it('reads damaged pages as JSON.parse does, or declines them', () => {
    fc.assert(
      fc.property(damagedBytes(sample), (bytes) => fc.pre(agrees(bytes))),
      runs(50),
    );
  });

  it.each(readdirSync(CORPUS))(
    'reads the page as JSON.parse does, or declines it, as its name says: %s',
    (name) => {
      const bytes = readFileSync(join(CORPUS, name));
      expect(agrees(bytes)).toBe(name.startsWith('taken'));
    },
  );
});

describe('readRecord', () => {
  it('returns only text for the columns of a damaged record', () => {
    const { opacObjects } = JSON.parse(sample.toString()) as { opacObjects: unknown[] };
    const columns = parseColumns(
      'id,title,recordType,slug,collection,label,image.count,image.url,name,name[0],name@x,relationship.a',
    );
    fc.assert(
      fc.property(damagedJson(opacObjects[0]), (text) => {
        const record = readRecord(JSON.parse(text === '' ? 'null' : text), 'objects');
        for (const { values } of columns)
          for (const value of values(record)) expect(value).toBeTypeOf('string');
      }),
      runs(200),
    );
  });
});

const word = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'name',
    'AND',
    'OR',
    'NOT',
    '"',
    '\\',
    '(',
    ')',
    ':',
    ',',
    ' ',
    '@',
    '[',
    ']',
    'field.',
    'image.',
    '0',
  ),
);
const phrase = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));

describe('queries', () => {
  it('are parsed by the museum, or cause a MalformedQuery', () => {
    fc.assert(
      fc.property(phrase, (text) =>
        fc.pre(catchExpected(MalformedQuery, () => parseQuery(text)) !== undefined),
      ),
      runs(200),
    );
  });

  it('are returned without outer spaces by parseRawQuery, or cause a UsageError', () => {
    fc.assert(
      fc.property(phrase, (text) => {
        const checked = catchExpected(UsageError, () => parseRawQuery(text));
        fc.pre(checked !== undefined);
        expect(checked).toBe(text.trim());
      }),
      runs(250),
    );
  });

  it('contain any values unchanged after buildQuery and parseQuery', () => {
    fc.assert(
      fc.property(phrase, phrase, (first, second) => {
        const where = [first, second].map((value) => ({ field: 'name', value }));
        const read = JSON.stringify(parseQuery(buildQuery({ where }) ?? ''));
        for (const value of [first, second]) expect(read).toContain(JSON.stringify(value).slice(1, -1));
      }),
      runs(200),
    );
  });
});

describe('parsers of options, files and headers', () => {
  it('return columns, or throw a UsageError', () => {
    fc.assert(
      fc.property(phrase, (text) => {
        const columns = catchExpected(UsageError, () => parseColumns(text));
        fc.pre(columns !== undefined);
        for (const { name } of columns) expect(text.replace(/\\([\\,=\n])/g, '$1')).toContain(name);
      }),
      runs(500),
    );
  });

  it('return the same values from a JSON cell', async () => {
    const rule = parseMultiValueRule('json');
    await fc.assert(
      fc.asyncProperty(fc.array(phrase, { minLength: 2, maxLength: 4 }), async (values) => {
        expect(JSON.parse(createCellFormatter(rule)(values))).toEqual(values);
      }),
      runs(100),
    );
  });

  it('read a table of any bytes to its end', async () => {
    const table = Buffer.from('\ufeffid,title\r\n1,"a ""b"", c\nd"\r\n2,=SUM(1)\r\n');
    await fc.assert(
      fc.asyncProperty(
        damagedBytes(table),
        fc.constantFrom('csv', 'tsv'),
        fc.boolean(),
        async (bytes, format, excel) => {
          const text = bytes.toString();
          let cells = 0;
          try {
            for await (const row of readTable([text], { format, excel }))
              for (const cell of row) cells += cell.length;
          } catch (error) {
            expect(error).toMatchObject({ message: 'the table ends within a quoted cell' });
          }
          expect(cells).toBeLessThanOrEqual(text.length);
        },
      ),
      runs(200),
    );
  });

  it('return a wait of at least 0 from Retry-After, or undefined', () => {
    const value = fc.oneof(
      phrase,
      fc.nat().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    fc.assert(
      fc.property(value, (text) => {
        const wait = parseRetryAfter({ 'retry-after': text }, 1e12);
        fc.pre(wait !== undefined);
        expect(wait).toBeGreaterThanOrEqual(0);
      }),
      runs(150),
    );
  });
});
