/** Responds to the requests of a client from exported files, by the built-in museum's search, without a socket. */
import type { Send } from '../../client/exchange.js';
import { openRecords, type RecordMuseum } from '../../mock/museum.js';
import { findEndpoint } from '../../service/endpoints/find-endpoint.js';
import { UsageError } from '../../service/errors.js';
import { KINDS } from '../../service/kinds.js';
import { checkedRecords, noneOf, refuseDamaged } from './checked-records.js';
import { type KeptIndex, openKeptIndex } from './kept-index.js';
import { DamagedSectionError } from './section-file.js';

export interface ExchangeOptions {
  readonly paths: readonly string[];
  /** Where an index of the files is kept, if anywhere. */
  readonly cacheFolder: string | undefined;
  readonly signal: AbortSignal;
  readonly atEnd: (task: () => Promise<void>) => void;
}

/** What is not below the API, such as an image, is still sent. The files are read at the first request. */
export function answeredFrom(options: ExchangeOptions): (send: Send) => Send {
  const { paths, signal } = options;
  let opened: Promise<Opened> | undefined;
  return (send) => async (request) => {
    if (request.url !== undefined) return send(request);
    const begun = performance.now();
    const query = new URLSearchParams();
    for (const [name, value] of request.query ?? []) query.append(name, value);
    const respond = ({ museum, index }: Opened) => {
      refuseUnheld(request.path, query, paths, museum.counts);
      const response = museum.respond(request.path, query);
      index?.assertUnchanged();
      return response;
    };
    opened ??= openFiles(options);
    const asked = opened;
    const { status, headers, body } = await asked.then(respond).catch(async (error) => {
      if (!(error instanceof DamagedSectionError)) throw error;
      const { index } = await asked;
      index?.assertUnchanged();
      if (opened === asked) opened = withoutIndex(options, index);
      return respond(await (opened ?? asked));
    });
    // Records go into a response as their files have them; an index is made of none that are damaged.
    if (!(await asked).index && !isJson(body))
      for await (const records of checkedRecords(paths, signal)) refuseDamaged(records);
    return { status, headers, bytes: body, elapsed: performance.now() - begun };
  };
}

interface Opened {
  readonly museum: RecordMuseum;
  readonly index?: KeptIndex;
}

async function openFiles(options: ExchangeOptions): Promise<Opened> {
  const { paths, cacheFolder, signal, atEnd } = options;
  const index = cacheFolder === undefined ? undefined : await openKeptIndex(paths, cacheFolder, signal);
  if (!index) return withoutIndex(options);
  atEnd(() => index.close());
  return { museum: index.museum, index };
}

/** Reads the files as they are; a damaged index is removed. */
async function withoutIndex({ paths, signal }: ExchangeOptions, damaged?: KeptIndex): Promise<Opened> {
  await damaged?.forget().catch(() => undefined);
  return { museum: await openRecords(checkedRecords(paths, signal)) };
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString());
    return true;
  } catch {
    return false;
  }
}

/** Throws where nothing found would say less than that the files do not hold it. */
function refuseUnheld(
  path: string,
  query: URLSearchParams,
  paths: readonly string[],
  counts: RecordMuseum['counts'],
): void {
  const id = findEndpoint(path)?.row.id ?? '';
  const kind = KINDS.find((each) => id.startsWith(`${each}.`));
  if (kind && counts[kind] === 0) throw noneOf(kind, paths);
  if (/(^|[\s(])highlight:/.test((query.get('query') ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""')))
    throw new UsageError('exported files do not say which records a highlight has', 'ask the deployment');
}
