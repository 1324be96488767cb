/** The small question to a deployment that shows whether it is there and takes the credentials, and how quick it is. */

import type { Credentials } from '../client/credentials.js';
import { readJson, statusError } from '../client/errors/answer-errors.js';
import type { Request } from '../client/exchange.js';
import { withSession } from '../client/layers/session.js';
import { endpoint } from '../service/catalogue.js';
import type { Service } from './flow/authorization.js';

/** Searches that cost the service little: totals alone (FIELD-NOTES.md "Requests", paging). The second when it lacks the first. */
const QUESTIONS = ['records.search', 'objects.search'] as const;

/**
 * Asks, and gives the milliseconds until the whole answer was there. Throws an HttpError: `auth` when the credentials are
 * not taken, `not-found` or `deployment` when no such service answers.
 */
export async function probe(
  { send, baseUrl }: Service,
  credentials: Credentials,
  signal?: AbortSignal,
): Promise<number> {
  const ask = withSession(send, credentials);
  const asked = { baseUrl, credentialsHint: credentials.hint };
  for (const [index, id] of QUESTIONS.entries()) {
    const { method, path } = endpoint(id);
    const request: Request = { method, path, query: [['limit', '0']], signal };
    const answer = await ask(request);
    if (answer.status === 404 && index < QUESTIONS.length - 1) continue;
    const error = statusError(request, answer, asked);
    if (error) throw error;
    readJson(request, answer, asked);
    return answer.elapsed;
  }
  throw new RangeError('there is no question to ask');
}
