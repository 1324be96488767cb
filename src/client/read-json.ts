/** Reads a response that must be JSON. */
import { formatNumber } from '../service/format-numbers.js';
import { JsonLimitError, parseJsonLossless } from '../service/parse-json.js';
import { isHtmlResponse } from './errors/firewall-response.js';
import { HttpError } from './errors/http-error.js';
import { checkBaseUrl, type ErrorContext } from './errors/response-errors.js';
import type { HttpRequest, HttpResponse } from './http-request.js';

/** Returns the JSON object or list in the body. Throws an HttpError for any other body. */
export function parseJsonResponse(
  request: HttpRequest,
  response: HttpResponse,
  context: ErrorContext,
): object {
  const createError = (message: string, cause?: unknown) =>
    new HttpError({
      kind: 'deployment',
      code: 'unexpected-response',
      request,
      response,
      message,
      hint: checkBaseUrl(context),
      retry: 'always',
      cause,
    });

  if (isHtmlResponse(response)) throw createError('the server sent a web page instead of records');
  if (response.bytes.length === 0)
    throw createError(`the server sent an empty response (${response.status})`);
  let value: unknown;
  try {
    value = parseJsonLossless(response.bytes);
  } catch (error) {
    const startsAsJson = /^\s*[[{]/.test(response.bytes.toString('utf8', 0, 64));
    const damaged = `the response is incomplete or damaged: ${formatNumber(response.bytes.length)} bytes of invalid JSON`;
    if (error instanceof JsonLimitError) throw createError(`the response is ${error.message}`, error);
    throw createError(startsAsJson ? damaged : 'the response is not JSON', removeExcerpt(error));
  }
  if (typeof value !== 'object' || value === null)
    throw createError('the response is a single JSON value instead of records');
  return value;
}

/** V8 adds an excerpt of the response to the message. opac cannot redact a secret that is cut in the excerpt. */
function removeExcerpt(error: unknown): unknown {
  return error instanceof SyntaxError
    ? new SyntaxError(error.message.replace(/,? ?(\.\.\.)?".*/s, ''))
    : error;
}
