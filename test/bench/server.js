// The service of the bench, in a process of its own: pages of records from memory. Sends its port to its parent.
// Arguments: number of records, milliseconds before each answer.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordOf } from './records.js';

const PAGE = 100;
/** Pages kept; the others are these with their own ids put in. */
const KEPT = 50;
/** The kept page on which a column comes up that no page before has. */
const LATE_PAGE = 37;

const [count, latency] = process.argv.slice(2).map(Number);
const ID = Buffer.from('"opacObjectId":"');

const kept = Array.from({ length: Math.min(KEPT, Math.ceil(count / PAGE)) }, (_, page) => {
  const records = Array.from({ length: PAGE }, (_, i) =>
    recordOf(page * PAGE + i, { late: page === LATE_PAGE }),
  );
  const bytes = Buffer.from(JSON.stringify({ opacObjects: records, totalObjects: count }));
  const places = [];
  for (let at = bytes.indexOf(ID); at >= 0; at = bytes.indexOf(ID, at + 1)) places.push(at + ID.length);
  return { bytes, places };
});

const single = (offset) => ({ ...recordOf(0), opacObjectId: String(1_000_000 + offset) });

function pageAt(offset, limit) {
  if (offset >= count) return Buffer.from(JSON.stringify({ opacObjects: [], totalObjects: count }));
  // An export asks whether the service gives the last record at all, and another than the one before it.
  if (limit === 1) return Buffer.from(JSON.stringify({ opacObjects: [single(offset)], totalObjects: count }));
  if (offset % PAGE !== 0 || limit !== PAGE || offset + limit > count)
    throw new Error('the bench asks for whole pages');
  const { bytes, places } = kept[(offset / PAGE) % kept.length];
  const page = Buffer.from(bytes);
  for (let i = 0; i < places.length; i++) page.write(String(1_000_000 + offset + i), places[i], 'latin1');
  return page;
}

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, 'http://bench');
  if (latency > 0) await sleep(latency);
  const page = pageAt(Number(searchParams.get('offset')), Number(searchParams.get('limit')));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length });
  response.end(page);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
