/** The transport of `--dry-run`: logs each request, and responds as a deployment without records would. */
import type { Credentials } from '../../client/credentials.js';
import type { HttpResponse, Send } from '../../client/http-request.js';
import { findEndpoint } from '../../service/endpoints/find-endpoint.js';
import type { DryRunLog } from '../context.js';
import { curlCommand } from './curl.js';

/** With responses without records, a command requests what it requests in any case, and nothing that follows from them. */
export function unsent(log: DryRunLog, baseUrl: string, scheme: Credentials['scheme']): Send {
  return async (request) => {
    log.push(curlCommand(baseUrl, scheme, request));
    return emptyResponse(request.path);
  };
}

function emptyResponse(path: string): HttpResponse {
  const response = findEndpoint(path.replace(/\?.*/, ''))?.row.response;
  const body = response?.shape === 'list' ? { [response.key]: [], [response.total]: 0 } : {};
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    bytes: Buffer.from(JSON.stringify(body)),
    elapsed: 0,
  };
}
