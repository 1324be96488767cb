/** The layer that sends nothing: it writes each request down and answers as a deployment without any records would. */
import type { Credentials } from '../../client/credentials.js';
import type { Answer, Send } from '../../client/exchange.js';
import { findEndpoint } from '../../service/find-endpoint.js';
import type { DryRunLog } from '../context.js';
import { curlCommand } from './curl.js';

/**
 * A way to send that only adds lines to the script. An answer without records makes each command ask all that it asks
 * in any case, and nothing that follows from what comes back.
 */
export function unsent(script: DryRunLog, baseUrl: string, scheme: Credentials['scheme']): Send {
  return async (request) => {
    script.push(curlCommand(baseUrl, scheme, request));
    return emptyAnswer(request.path);
  };
}

function emptyAnswer(path: string): Answer {
  const shape = findEndpoint(path.replace(/\?.*$/, ''))?.row.answer;
  const body = shape?.shape === 'list' ? { [shape.key]: [], [shape.total]: 0 } : {};
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    bytes: Buffer.from(JSON.stringify(body)),
    elapsed: 0,
  };
}
