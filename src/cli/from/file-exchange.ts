/** Responds to the requests of a client from exported files, by a local search, without a socket. */
import type { Send } from '../../client/http-request.js';
import { RecordsInFiles } from '../../local/file-record-list.js';
import type { FileRecord } from '../../local/record.js';
import { createResponder } from '../../local/routes.js';
import { createStore } from '../../local/store.js';
import { findEndpoint } from '../../service/endpoints/find-endpoint.js';
import { UsageError } from '../../service/errors.js';
import { KINDS } from '../../service/kinds.js';
import { type CheckedFiles, checkedRecords, refuseNone } from './checked-records.js';

export interface ExchangeOptions {
  readonly files: CheckedFiles;
  readonly signal: AbortSignal;
}

/** What is not below the API, such as an image, is still sent. The files are read for each search. */
export function answeredFrom({ files, signal }: ExchangeOptions): (send: Send) => Send {
  const read = () => checkedRecords(files, signal);
  const records = new RecordsInFiles(files.areRegular ? read : readOnce(read));
  const respond = createResponder(createStore((kind) => records.listOf(kind)));
  let previous: Promise<unknown> = Promise.resolve();
  return (send) => async (request) => {
    if (request.url !== undefined) return send(request);
    const begun = performance.now();
    const query = new URLSearchParams();
    for (const [name, value] of request.query ?? []) query.append(name, value);
    refuseHighlight(query);
    // One after the other: pages that follow each other are read in one go.
    const responding = previous.then(() => respond(request.path, query));
    previous = responding.catch(() => {});
    const { status, headers, body } = await responding;
    refuseUnheld(request.path, files, records);
    return { status, headers, bytes: body, elapsed: performance.now() - begun };
  };
}

/** Pipes cannot be read again: their records are kept. */
function readOnce(
  read: () => AsyncIterable<readonly FileRecord[]>,
): () => AsyncIterable<readonly FileRecord[]> {
  let pieces: (readonly FileRecord[])[] | undefined;
  return async function* () {
    if (!pieces) {
      pieces = [];
      for await (const piece of read()) pieces.push(piece);
    }
    yield* pieces;
  };
}

/** Throws where nothing found would say less than that the files do not hold it. */
function refuseUnheld(path: string, files: CheckedFiles, { knownCounts }: RecordsInFiles): void {
  const id = findEndpoint(path)?.row.id ?? '';
  const kind = KINDS.find((each) => id.startsWith(`${each}.`));
  if (!kind || !knownCounts) return;
  const { objects, persons, venues } = knownCounts;
  const counts = { ...knownCounts, records: objects + persons + venues };
  if (counts[kind] === 0) refuseNone(kind, files);
}

function refuseHighlight(query: URLSearchParams): void {
  if (/(^|[\s(])highlight:/.test((query.get('query') ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""')))
    throw new UsageError(
      'exported files do not contain the records of highlights',
      'run the command without --from',
    );
}
