/** Responds to the requests of a client from exported files, by the built-in museum's search, without a socket. */
import type { Send } from '../../client/exchange.js';
import { openRecords, type RecordMuseum } from '../../mock/museum.js';
import { findEndpoint } from '../../service/endpoints/find-endpoint.js';
import { UsageError } from '../../service/errors.js';
import { KINDS } from '../../service/kinds.js';
import { parseJson } from '../../service/parse-json.js';
import { type CheckedFiles, checkedRecords, refuseDamaged, refuseNone } from './checked-records.js';

export interface ExchangeOptions {
  readonly files: CheckedFiles;
  readonly signal: AbortSignal;
}

/** What is not below the API, such as an image, is still sent. The files are read at the first request. */
export function answeredFrom({ files, signal }: ExchangeOptions): (send: Send) => Send {
  let museum: Promise<RecordMuseum> | undefined;
  return (send) => async (request) => {
    if (request.url !== undefined) return send(request);
    const begun = performance.now();
    const query = new URLSearchParams();
    for (const [name, value] of request.query ?? []) query.append(name, value);
    museum ??= openRecords(checkedRecords(files, signal));
    const { counts, respond } = await museum;
    refuseUnheld(request.path, query, files, counts);
    const { status, headers, body } = respond(request.path, query);
    // Records go into a response as their files have them.
    if (!isJson(body)) for await (const records of checkedRecords(files, signal)) refuseDamaged(records);
    return { status, headers, bytes: body, elapsed: performance.now() - begun };
  };
}

function isJson(body: Buffer): boolean {
  try {
    parseJson(body.toString());
    return true;
  } catch {
    return false;
  }
}

/** Throws where nothing found would say less than that the files do not hold it. */
function refuseUnheld(
  path: string,
  query: URLSearchParams,
  files: CheckedFiles,
  counts: RecordMuseum['counts'],
): void {
  const id = findEndpoint(path)?.row.id ?? '';
  const kind = KINDS.find((each) => id.startsWith(`${each}.`));
  if (kind && counts[kind] === 0) refuseNone(kind, files);
  if (/(^|[\s(])highlight:/.test((query.get('query') ?? '').replace(/"(?:[^"\\]|\\.)*"/g, '""')))
    throw new UsageError('exported files do not say which records a highlight has', 'ask the deployment');
}
