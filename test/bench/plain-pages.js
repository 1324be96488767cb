// What the yardsticks have in common: pages over undici, several at a time, handed on in order.
import { Pool } from 'undici';

const PAGE = 100;

/** Calls `take` with the pieces of each page. Arguments as the yardsticks have them. */
export async function eachPage([url, count, concurrency], take) {
  const pool = new Pool(url, { connections: Number(concurrency) });
  const offsets = Array.from({ length: Number(count) / PAGE }, (_, page) => page * PAGE);
  const waiting = [];
  async function fetchPage(offset) {
    const path = `/api/v3/opacobjects?view=detail&limit=${PAGE}&offset=${offset}`;
    const { body } = await pool.request({ path, method: 'GET' });
    const chunks = [];
    for await (const chunk of body) chunks.push(chunk);
    return chunks;
  }
  while (offsets.length > 0 || waiting.length > 0) {
    while (offsets.length > 0 && waiting.length < concurrency) waiting.push(fetchPage(offsets.shift()));
    await take(await waiting.shift());
  }
  await pool.close();
}
