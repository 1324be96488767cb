// Downloads only: fetches every page with undici, counts the bytes and drops them.
// Arguments: base URL, number of records, concurrency.
import { eachPage } from './plain-pages.js';

let bytes = 0;
await eachPage(process.argv.slice(2), (chunks) => {
  for (const chunk of chunks) bytes += chunk.length;
});
if (bytes === 0) throw new Error('nothing came');
