/** Reads what the program wrote, whichever format: entries with an id, that say how they differ from a record of the service. */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { readXlsx } from 'hucre';
import { parquetReadObjects } from 'hyparquet';
import { Wrong } from '../context.js';
import { escaped } from '../service/spelling.js';
import { minified, readJson, textOf } from './json.js';
import { columnsOf, fieldsOf } from './record.js';
import { cellHolds, readTable } from './table.js';

export const FORMATS = ['csv', 'tsv', 'json', 'ndjson', 'ids', 'xlsx', 'parquet'];

/** The entries of files in one format, in their order. Throws a Wrong for files that are not valid. */
export async function readOutputs(paths, format) {
  const entries = [];
  for (const path of paths) {
    const bytes = await readFile(path);
    entries.push(...(await readBytes(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, format)));
  }
  return entries;
}

/** The entries of one output. Throws a Wrong where it is not valid. */
export async function readBytes(bytes, format) {
  try {
    return await READERS[format](bytes);
  } catch (error) {
    throw new Wrong(`the output is not valid ${format}: ${error.message}`);
  }
}

const READERS = {
  ndjson: (bytes) => linesOf(bytes).map((line) => jsonEntry(line, readJson(line))),
  json: (bytes) => {
    const text = utf8(bytes);
    const tree = readJson(text);
    const texts = elementsOf(minified(text));
    return (Array.isArray(tree) ? tree : [tree]).map((each, n) => jsonEntry(texts[n], each));
  },
  ids: (bytes) => linesOf(bytes).map((id) => ({ id, differenceFrom: () => undefined })),
  csv: (bytes) => tableEntries(readTable(utf8(bytes), ',')),
  tsv: (bytes) => tableEntries(readTable(utf8(bytes), '\t')),
  xlsx: async (bytes) => {
    const { sheets } = await readXlsx(bytes);
    // People read sheets (`docs/formats.md`).
    return tableEntries(
      sheets[0].rows.map((row) => row.map(cellText)),
      '; ',
    );
  },
  parquet: async (bytes) => {
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    return (await parquetReadObjects({ file })).map((row) => ({
      id: row.id,
      differenceFrom: (record) => rowDifference(row, record),
    }));
  },
};

function utf8(bytes) {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function linesOf(bytes) {
  const lines = utf8(bytes).split('\n');
  if (lines.pop() !== '') throw new Error('the last line does not end');
  return lines;
}

/** The texts of the elements of a JSON list without white space. */
function elementsOf(text) {
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

/** NDJSON and JSON hold the bytes that the service sent, without white space between tokens. */
function jsonEntry(text, tree) {
  const id = [...tree].find(([key]) => /^opac\w+Id$/.test(key))?.[1];
  return {
    id: textOf(id),
    tree,
    differenceFrom: (record) => {
      const found = minified(text);
      if (found === record.text || found === escaped(record.text)) return undefined;
      const at = [...found].findIndex((character, n) => character !== record.text[n]);
      return `${found.slice(Math.max(0, at - 40), at + 40)} in place of ${record.text.slice(Math.max(0, at - 40), at + 40)}`;
    },
  };
}

function cellText(cell) {
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

function tableEntries([header = [], ...rows], separator = '|') {
  return rows.map((cells) => {
    const row = new Map(header.map((name, n) => [name, cells[n] ?? '']));
    return {
      id: row.get('id'),
      row,
      differenceFrom: (record) => {
        if (cells.length > header.length) return `${cells.length} cells under ${header.length} headers`;
        const columns = columnsOf(record);
        const missing = [...columns.keys()].find((name) => !row.has(name));
        if (missing !== undefined) return `there is no column ${missing}`;
        const wrong = [...row].find(([name, cell]) => {
          const values = columns.get(name) ?? [];
          return !cellHolds(cell, values, separator) && !(separator === '; ' && isCut(cell, values));
        });
        return (
          wrong &&
          `${wrong[0]} is ${JSON.stringify(wrong[1])}, not ${JSON.stringify(columns.get(wrong[0]) ?? [])}`
        );
      },
    };
  });
}

/** Parquet keeps values as lists (`docs/engines.md`). */
function rowDifference(row, record) {
  const own = { title: row.title, slug: row.slug };
  const columns = columnsOf(record);
  for (const [name, text] of Object.entries(own))
    if ((text ?? '') !== (columns.get(name)?.[0] ?? '')) return `${name} is ${JSON.stringify(text)}`;
  for (const [name, values] of fieldsOf(record.tree)) {
    const found = row[Object.hasOwn(row, `field.${name}`) ? `field.${name}` : name] ?? [];
    const [one, other] = [found, values.map(({ text }) => text)].map((list) =>
      list.filter((each) => each !== ''),
    );
    if (JSON.stringify(one) !== JSON.stringify(other))
      return `${name} is ${JSON.stringify(found)}, not ${JSON.stringify(other)}`;
  }
  const images = record.tree.get('imagesCollection')?.get('images') ?? [];
  const ids = (row.images ?? []).map((image) => image.id);
  const expected = images.map((image) => textOf(image.get('imageId')));
  return JSON.stringify(ids) === JSON.stringify(expected) ? undefined : `images are ${ids}, not ${expected}`;
}
