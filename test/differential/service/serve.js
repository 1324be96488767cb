/** The simulated service: an HTTP server for one collection, with the properties of a deployment. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { formatScalar } from '../reference/json.js';
import { readFields } from '../reference/record.js';
import { deliver } from './deliver.js';
import { KINDS } from './make-record.js';
import { createMatcher } from './query.js';
import { escapeNonAscii, insertSpaces } from './spelling.js';

/**
 * `faultOf(url, count)` returns the fault of a request. `lists` contains the lists that are not searches, by path: functions that
 * return JSON text for parameters. A case may replace the deployment between two runs.
 */
export class Service {
  /** The number of requests for pages of records. */
  pages = 0;
  /** Paths and queries of all requests. */
  requests = [];
  faultOf = () => undefined;
  lists = {};
  #actions = [];
  #server = createServer((request, response) => {
    this.#respond(request, response).catch((error) => {
      this.errors.push(error);
      response.destroy();
    });
  });
  errors = [];

  constructor(random, collection, deployment) {
    this.random = random;
    this.collection = collection;
    this.deployment = deployment;
  }

  async start() {
    this.#server.keepAliveTimeout = 30_000;
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${this.#server.address().port}`;
  }

  async stop() {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Calls an action at the n-th request for a page from now, before the service selects the records. */
  atPage(count, action) {
    this.#actions.push({ at: this.pages + count, action });
  }

  forgetActions() {
    this.#actions = [];
  }

  async #respond(request, response) {
    const { pathname, searchParams } = new URL(request.url, 'http://service');
    this.requests.push(request.url);
    const path = pathname.replace(/^\/api\/v3/, '');
    if (searchParams.has('view')) {
      this.pages++;
      for (const { action } of this.#actions.filter(({ at }) => at === this.pages)) await action();
    }
    const fault = this.faultOf(request.url, this.requests.filter((url) => url === request.url).length);
    const found = this.#find(path, searchParams);
    await this.#delay();
    if (fault === 'reset') return request.socket.destroy();
    if (fault === '503') return this.#send(response, 503, '{"message":"busy"}');
    if (fault === 'empty')
      return this.#send(response, 200, '{"totalObjects":0,"totalPersons":0,"totalVenues":0}');
    if (typeof found === 'string')
      return this.#send(response, 200, fault === 'damaged' ? damageText(found) : found, fault);
    return this.#send(response, found.status, JSON.stringify({ message: found.message }));
  }

  /** Delays some responses, so that responses and requests have different orders. */
  async #delay() {
    const { delay } = this.deployment;
    const most = this.random.chance(0.3) ? delay : delay / 10;
    if (most >= 1) await wait(this.random.integer(0, Math.floor(most)));
  }

  /** Returns JSON text, or a status with a message. */
  #find(path, parameters) {
    if (Object.hasOwn(this.lists, path)) return this.#spell(this.lists[path](parameters));
    const [, segment, id, ...rest] = path.split('/');
    const kind = Object.keys(KINDS).find((each) => KINDS[each].segment === segment);
    const records = this.collection.records[kind];
    if (!records || rest.length > 0 || this.hidden?.includes(kind))
      return { status: 404, message: `${path} does not exist` };
    if (id === undefined) return this.#page(kind, records, parameters);
    const record = records.find((each) => each.id === decodeURIComponent(id));
    const { name } = KINDS[kind];
    return record
      ? this.#spell(record.text)
      : { status: 404, message: `${name} with ID : ${id} does not exist` };
  }

  #page(kind, records, parameters) {
    const { deployment } = this;
    const { name, segment } = KINDS[kind];
    let found = records;
    if (parameters.get('query')) {
      try {
        found = found.filter(createMatcher(parameters.get('query')));
      } catch (error) {
        return { status: 400, message: error.message };
      }
    }
    if (parameters.get('hasImages') === 'true')
      found = found.filter(({ tree }) => tree.get('imagesCollection')?.get('images').length > 0);
    if (parameters.has('sort') && !deployment.ignoresSort) found = sortRecords(found, parameters);
    const limit = Math.min(Number(parameters.get('limit') ?? 20), deployment.cap);
    const offset = Number(parameters.get('offset') ?? 0);
    const page = found.slice(offset, offset + limit);
    const isPastEnd = limit > 0 && page.length === 0;
    const texts = page.map((record) => (parameters.has('view') ? record.text : createStub(record)));
    const list = `"${segment.replace(/^opac(.)/, (_, first) => `opac${first.toUpperCase()}`)}":[${texts.join(',')}]`;
    const total = this.#total(`total${name}s`, found.length, isPastEnd);
    // The response to a search always has a list or a total.
    const isListed = limit > 0 && !(isPastEnd && deployment.pastEnd === 'absent' && total.length > 0);
    const members = [...(isListed ? [list] : []), ...total];
    return this.#spell(`{${(deployment.isTotalFirst ? members.reverse() : members).join(',')}}`);
  }

  #total(key, count, isPastEnd) {
    const { total, pastTotal } = this.deployment;
    if (total === 'none' || (isPastEnd && pastTotal === 'absent')) return [];
    const value = isPastEnd && pastTotal === 'zero' ? 0 : count;
    return [`"${key}":${total === 'text' ? `"${value}"` : value}`];
  }

  #spell(text) {
    const { hasEscapes, hasSpaces } = this.deployment;
    const written = hasEscapes ? escapeNonAscii(text) : text;
    return hasSpaces ? insertSpaces(written) : written;
  }

  #send(response, status, text, fault = undefined) {
    const { codings, chunkSizes, isChunked } = this.deployment;
    const [coding, chunkSize] = [this.random.pick(codings), this.random.pick(chunkSizes)];
    return deliver(response, text, { status, coding, chunkSize, isChunked, fault });
  }
}

/** Returns damaged JSON. For HTTP, the response is complete. */
function damageText(text) {
  return text.slice(0, Math.floor(text.length * 0.7));
}

function createStub({ tree }) {
  const [key, id] = [...tree].find(([name]) => /^opac\w+Id$/.test(name));
  return `{"${key}":${typeof id === 'string' ? JSON.stringify(id) : formatScalar(id)}}`;
}

function sortRecords(records, parameters) {
  const field = parameters.get('sort');
  const sign = parameters.get('direction') === 'desc' ? -1 : 1;
  const keys = new Map(
    records.map((record) => [record, readFields(record.tree).get(field)?.[0]?.text ?? '']),
  );
  return records.toSorted((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    return a === b ? 0 : a < b ? -sign : sign;
  });
}
