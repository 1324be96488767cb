// Downloads pages with undici for the simple scripts: several pages at the same time.
import { Pool } from 'undici';

const PAGE = 100;

/** Calls `take` with the chunks of each page, in the order of the pages. */
export async function eachPage([url, count, concurrency], take) {
  const pool = new Pool(url, { connections: Number(concurrency) });
  const offsets = Array.from({ length: Number(count) / PAGE }, (_, page) => page * PAGE);
  const pending = [];
  async function fetchPage(offset) {
    const path = `/api/v3/opacobjects?view=detail&limit=${PAGE}&offset=${offset}`;
    const { body } = await pool.request({ path, method: 'GET' });
    const chunks = [];
    for await (const chunk of body) chunks.push(chunk);
    return chunks;
  }
  while (offsets.length > 0 || pending.length > 0) {
    while (offsets.length > 0 && pending.length < concurrency) pending.push(fetchPage(offsets.shift()));
    await take(await pending.shift());
  }
  await pool.close();
}
