// The service of the bench, in its own process: pages of objects from memory. Sends its port to the parent process.
// Arguments: the number of objects, and the milliseconds before each response.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordOf } from './records.js';

const PAGE_SIZE = 100;
/** The number of different pages. The other pages repeat these with their own ids. */
const PREPARED_PAGES = 50;
/** This page has a field that no earlier page has. */
const LATE_PAGE = 37;
const FIRST_ID = 1_000_000;

const [count, latency] = process.argv.slice(2).map(Number);
const ID = Buffer.from('"opacObjectId":"');

const prepared = Array.from({ length: Math.min(PREPARED_PAGES, Math.ceil(count / PAGE_SIZE)) }, (_, page) => {
  const records = Array.from({ length: PAGE_SIZE }, (_, i) =>
    recordOf(page * PAGE_SIZE + i, { late: page === LATE_PAGE }),
  );
  const bytes = Buffer.from(JSON.stringify({ opacObjects: records, totalObjects: count }));
  const idPositions = [];
  for (let at = bytes.indexOf(ID); at >= 0; at = bytes.indexOf(ID, at + 1)) idPositions.push(at + ID.length);
  return { records, bytes, idPositions };
});

const getPrepared = (n) => prepared[Math.floor(n / PAGE_SIZE) % prepared.length];

function createPage(offset, limit) {
  const length = Math.max(0, Math.min(limit, PAGE_SIZE, count - offset));
  if (length === PAGE_SIZE && offset % PAGE_SIZE === 0) return copyPreparedPage(offset);
  const opacObjects = Array.from({ length }, (_, i) => ({
    ...getPrepared(offset + i).records[(offset + i) % PAGE_SIZE],
    opacObjectId: String(FIRST_ID + offset + i),
  }));
  return Buffer.from(JSON.stringify({ opacObjects, totalObjects: count }));
}

/** Replaces only the ids, because the bench would otherwise measure the JSON.stringify of the server. */
function copyPreparedPage(offset) {
  const { bytes, idPositions } = getPrepared(offset);
  const page = Buffer.from(bytes);
  for (const [i, position] of idPositions.entries())
    page.write(String(FIRST_ID + offset + i), position, 'latin1');
  return page;
}

const server = createServer(async (request, response) => {
  const { searchParams } = new URL(request.url, 'http://bench');
  if (latency > 0) await sleep(latency);
  const page = createPage(Number(searchParams.get('offset')), Number(searchParams.get('limit') ?? PAGE_SIZE));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length });
  response.end(page);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
