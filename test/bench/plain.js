// The simple script: JSON.parse, and then JSON.stringify or one CSV line per record. It does not check the data or align columns.
// Arguments: base URL, number of records, concurrency, format, file.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { eachPage } from './plain-pages.js';

const [, , , format, file] = process.argv.slice(2);
const out = createWriteStream(file);
const quote = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const PRINT = {
  ndjson: (record) => JSON.stringify(record),
  csv: ({ opacObjectId, slug, opacObjectFieldSets }) =>
    [
      opacObjectId,
      slug,
      ...opacObjectFieldSets.map(({ opacObjectFields }) =>
        opacObjectFields.map(({ value }) => value).join('|'),
      ),
    ]
      .map(quote)
      .join(','),
};

await eachPage(process.argv.slice(2), async (chunks) => {
  const { opacObjects } = JSON.parse(Buffer.concat(chunks).toString());
  let text = '';
  for (const record of opacObjects) text += `${PRINT[format](record)}\n`;
  if (!out.write(text)) await once(out, 'drain');
});
out.end();
await once(out, 'finish');
