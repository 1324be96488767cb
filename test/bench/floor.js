// Downloads each page with undici, and counts the bytes.
// Arguments: base URL, number of records, concurrency.
import { eachPage } from './plain-pages.js';

let bytes = 0;
await eachPage(process.argv.slice(2), (chunks) => {
  for (const chunk of chunks) bytes += chunk.length;
});
if (bytes === 0) throw new Error('the responses were empty');
