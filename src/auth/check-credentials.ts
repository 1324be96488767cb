/** Sends a small request to check whether a deployment responds and accepts the credentials. */
import type { Credentials } from '../client/credentials.js';
import { createStatusError } from '../client/errors/response-errors.js';
import type { HttpRequest } from '../client/http-request.js';
import { withSession } from '../client/layers/session.js';
import { parseJsonResponse } from '../client/read-json.js';
import { getEndpoint } from '../service/endpoints/catalogue.js';
import type { Connection } from './flow/authorization.js';

/** The second endpoint is for deployments that do not have the first. */
const ENDPOINTS = ['records.search', 'objects.search'] as const;

/** Returns the response time in milliseconds. Throws an OpacError; its kind is `auth` if the service rejects the credentials. */
export async function checkCredentials(
  { send, baseUrl }: Connection,
  credentials: Credentials,
  signal?: AbortSignal,
): Promise<number> {
  const authorizedSend = withSession(send, credentials);
  const { hint: credentialsHint, expiredHint } = credentials;
  const context = { baseUrl, credentialsHint, expiredHint };
  for (const [index, id] of ENDPOINTS.entries()) {
    const { method, path } = getEndpoint(id);
    const request: HttpRequest = { method, path, query: [['limit', '0']], signal };
    const response = await authorizedSend(request);
    if (response.status === 404 && index < ENDPOINTS.length - 1) continue;
    const error = createStatusError(request, response, context);
    if (error) throw error;
    parseJsonResponse(request, response, context);
    return response.elapsed;
  }
  throw new RangeError('no endpoint to check the credentials with');
}
