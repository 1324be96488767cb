/** Reads the output of the program in any format. Each entry has an id, and describes its difference from a record. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { readXlsx } from 'hucre';
import { parquetReadObjects } from 'hyparquet';
import { UnexpectedResult } from '../context.js';
import { escapeNonAscii } from '../service/spelling.js';
import { formatScalar, minify, readJson } from './json.js';
import { readColumns, readFields } from './record.js';
import { containsValues, readTable } from './table.js';

export const FORMATS = ['csv', 'tsv', 'json', 'ndjson', 'ids', 'xlsx', 'parquet'];

/** Returns the entries of files in one format, in order. Throws an UnexpectedResult for invalid files. */
export async function readOutputs(paths, format) {
  const entries = [];
  for (const path of paths) {
    const bytes = await readFile(path);
    entries.push(...(await readBytes(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, format)));
  }
  return entries;
}

/** Returns the entries of one output. Throws an UnexpectedResult if it is invalid. */
export async function readBytes(bytes, format) {
  try {
    return await READERS[format](bytes);
  } catch (error) {
    throw new UnexpectedResult(`the output is not valid ${format}: ${error.message}`);
  }
}

const READERS = {
  ndjson: (bytes) => splitLines(bytes).map((line) => createJsonEntry(line, readJson(line))),
  json: (bytes) => {
    const text = decodeUtf8(bytes);
    const tree = readJson(text);
    const texts = splitElements(minify(text));
    return (Array.isArray(tree) ? tree : [tree]).map((each, n) => createJsonEntry(texts[n], each));
  },
  ids: (bytes) => splitLines(bytes).map((id) => ({ id, differenceFrom: () => undefined })),
  csv: (bytes) => createTableEntries(readTable(decodeUtf8(bytes), ',')),
  tsv: (bytes) => createTableEntries(readTable(decodeUtf8(bytes), '\t')),
  xlsx: async (bytes) => {
    const { sheets } = await readXlsx(bytes);
    // In workbooks, `; ` separates values (`docs/formats.md`).
    return createTableEntries(
      sheets[0].rows.map((row) => row.map(formatCell)),
      '; ',
    );
  },
  parquet: async (bytes) => {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    return (await parquetReadObjects({ file })).map((row) => ({
      id: row.id,
      differenceFrom: (record) => findRowDifference(row, record),
    }));
  },
};

function decodeUtf8(bytes) {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function splitLines(bytes) {
  const lines = decodeUtf8(bytes).split('\n');
  if (lines.pop() !== '') throw new Error('the last line has no line break');
  return lines;
}

/** Returns the texts of the elements of a JSON list without white space. */
function splitElements(text) {
  const elements = [];
  let depth = 0;
  let start = 1;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/gs)) {
    if ('[{'.includes(token)) depth++;
    if (']}'.includes(token)) depth--;
    if ((token === ',' && depth === 1) || (depth === 0 && token === ']')) {
      elements.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return text.startsWith('[') ? elements : [text];
}

/** NDJSON and JSON must contain the bytes of the service, without white space between tokens. */
function createJsonEntry(text, tree) {
  const id = [...tree].find(([key]) => /^opac\w+Id$/.test(key))?.[1];
  return {
    id: formatScalar(id),
    tree,
    differenceFrom: (record) => {
      const found = minify(text);
      if (found === record.text || found === escapeNonAscii(record.text)) return undefined;
      const at = [...found].findIndex((character, n) => character !== record.text[n]);
      return `${found.slice(Math.max(0, at - 40), at + 40)} instead of ${record.text.slice(Math.max(0, at - 40), at + 40)}`;
    },
  };
}

function formatCell(cell) {
  if (cell === null || cell === undefined) return '';
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
}

/** Excel allows this number of characters in a cell. `docs/formats.md` says that longer text is cut. */
const MAX_CELL = 32_767;

function isCut(cell, [value = '', ...others]) {
  const isFull = cell.length === MAX_CELL || cell.length === MAX_CELL - 1;
  return (
    isFull && others.length === 0 && value.length > MAX_CELL && `${value.slice(0, cell.length - 1)}…` === cell
  );
}

function createTableEntries([header = [], ...rows], separator = '|') {
  return rows.map((cells) => {
    const row = new Map(header.map((name, n) => [name, cells[n] ?? '']));
    return {
      id: row.get('id'),
      row,
      differenceFrom: (record) => {
        if (cells.length > header.length) return `${cells.length} cells under ${header.length} headers`;
        const columns = readColumns(record);
        const missing = [...columns.keys()].find((name) => !row.has(name));
        if (missing !== undefined) return `the column ${missing} is missing`;
        const wrong = [...row].find(([name, cell]) => {
          const values = columns.get(name) ?? [];
          return !containsValues(cell, values, separator) && !(separator === '; ' && isCut(cell, values));
        });
        return (
          wrong &&
          `${wrong[0]} is ${JSON.stringify(wrong[1])}, not ${JSON.stringify(columns.get(wrong[0]) ?? [])}`
        );
      },
    };
  });
}

/** Parquet contains values as lists (`docs/engines.md`). */
function findRowDifference(row, record) {
  const own = { title: row.title, slug: row.slug };
  const columns = readColumns(record);
  for (const [name, text] of Object.entries(own))
    if ((text ?? '') !== (columns.get(name)?.[0] ?? '')) return `${name} is ${JSON.stringify(text)}`;
  for (const [name, values] of readFields(record.tree)) {
    const found = row[Object.hasOwn(row, `field.${name}`) ? `field.${name}` : name] ?? [];
    const [one, other] = [found, values.map(({ text }) => text)].map((list) =>
      list.filter((each) => each !== ''),
    );
    if (JSON.stringify(one) !== JSON.stringify(other))
      return `${name} is ${JSON.stringify(found)}, not ${JSON.stringify(other)}`;
  }
  const images = record.tree.get('imagesCollection')?.get('images') ?? [];
  const ids = (row.images ?? []).map((image) => image.id);
  const expected = images.map((image) => formatScalar(image.get('imageId')));
  return JSON.stringify(ids) === JSON.stringify(expected) ? undefined : `images are ${ids}, not ${expected}`;
}
