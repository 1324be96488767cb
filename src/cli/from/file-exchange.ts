/** Responds to the requests of a client with a local search in exported files. */
import type { Send } from '../../client/http-request.js';
import { RecordsInFiles } from '../../local/file-record-list.js';
import type { FileRecord } from '../../local/record.js';
import { createResponder } from '../../local/routes.js';
import { createStore } from '../../local/store.js';
import { findEndpoint } from '../../service/endpoints/find-endpoint.js';
import { UsageError } from '../../service/errors.js';
import { KINDS } from '../../service/kinds.js';
import { type CheckedFiles, checkedRecords, refuseWithoutKind } from './checked-records.js';

/** Returns a layer that reads the files for each search. Only requests outside the API, such as those for images, are sent. */
export function withFileResponses(files: CheckedFiles, signal: AbortSignal): (send: Send) => Send {
  const read = () => checkedRecords(files, signal);
  const records = new RecordsInFiles(files.areRegular ? read : readOnce(read));
  const respond = createResponder(createStore((kind) => records.listOf(kind)));
  let previous: Promise<unknown> = Promise.resolve();
  return (send) => async (request) => {
    if (request.url !== undefined) return send(request);
    const start = performance.now();
    const query = new URLSearchParams();
    for (const [name, value] of request.query ?? []) query.append(name, value);
    refuseHighlight(query);
    // Responds to the requests one after the other, so that one pass through the files serves consecutive pages.
    const responding = previous.then(() => respond(request.path, query));
    previous = responding.catch(() => {});
    const { status, headers, body } = await responding;
    refuseMissingKind(request.path, files, records);
    return { status, headers, bytes: body, elapsed: performance.now() - start };
  };
}

/** Returns a function that keeps the records in memory, because pipes cannot be read again. */
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

/** Throws a UsageError if the files contain no records of the requested kind, because an empty result would explain less. */
function refuseMissingKind(path: string, files: CheckedFiles, { knownCounts }: RecordsInFiles): void {
  const id = findEndpoint(path)?.row.id ?? '';
  const kind = KINDS.find((each) => id.startsWith(`${each}.`));
  if (!kind || !knownCounts) return;
  const { objects, persons, venues } = knownCounts;
  const counts = { ...knownCounts, records: objects + persons + venues };
  if (counts[kind] === 0) refuseWithoutKind(kind, files);
}

function refuseHighlight(query: URLSearchParams): void {
  if (/(^|[\s(])highlight:/.test((query.get('query') ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""')))
    throw new UsageError(
      'exported files do not contain the records of highlights',
      'run the command without --from',
    );
}
