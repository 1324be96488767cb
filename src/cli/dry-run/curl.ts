/** The transport of `--dry-run`. It logs each request as a curl command, and responds like a deployment without records. */
import type { Credentials } from '../../client/credentials.js';
import type { HttpRequest, HttpResponse, Send } from '../../client/http-request.js';
import { findEndpoint } from '../../service/endpoints/find-endpoint.js';
import { percentEncode } from '../../service/percent-encoding.js';
import type { DryRunLog } from '../context.js';
import { formatShellWord, quoteWord } from '../description/shell-words.js';

/** The responses are empty, so the transport logs only requests that do not depend on records. */
export function createDryRunSender(log: DryRunLog, baseUrl: string, scheme: Credentials['scheme']): Send {
  return async (request) => {
    log.push(formatCurlCommand(baseUrl, scheme, request));
    return createEmptyResponse(request.path);
  };
}

function createEmptyResponse(path: string): HttpResponse {
  const response = findEndpoint(path.replace(/\?.*/, ''))?.row.response;
  const body = response?.shape === 'list' ? { [response.key]: [], [response.total]: 0 } : {};
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    bytes: Buffer.from(JSON.stringify(body)),
    elapsed: 0,
  };
}

/** The header of each scheme (INTERFACE.md "Authentication"), with a shell variable instead of the secret. */
const AUTHORIZATION: Readonly<Record<Credentials['scheme'], readonly string[]>> = {
  bearer: ['-H "Authorization: Bearer $OPAC_ACCESS_TOKEN"'],
  basic: ['-H "Authorization: Basic $OPAC_BASIC_KEY"'],
  anonymous: [],
};

/** Returns a curl command for a POSIX shell. */
export function formatCurlCommand(
  baseUrl: string,
  scheme: Credentials['scheme'],
  { path, query = [] }: Pick<HttpRequest, 'path' | 'query'>,
): string {
  const url = `${baseUrl}/api/v3${path}`;
  return [
    'curl -sS --compressed',
    // Without -g, curl would read brackets as ranges, and braces as lists.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(query.length > 0 ? ['-G'] : []),
    quoteWord(url),
    ...AUTHORIZATION[scheme],
    ...query.map(([name, value]) => formatCurlParameter(name, value)),
  ].join(' ');
}

function formatCurlParameter(name: string, value: string): string {
  const pair = `${percentEncode(name)}=${value}`;
  return /^[\w.-]*$/.test(value) ? `-d ${formatShellWord(pair)}` : `--data-urlencode ${quoteWord(pair)}`;
}
