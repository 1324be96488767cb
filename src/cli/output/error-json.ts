/** An error for programs: one line of JSON. Every error has the same keys. */
import { HttpError } from '../../client/errors/http-error.js';
import { ERROR_CODES } from '../../service/error-codes.js';
import { OpacError } from '../../service/errors.js';
import { redactText } from '../../service/redact.js';
import { EXIT_CODES } from '../exit-codes.js';
import { formatInternalError } from './error-lines.js';
import { sanitizeLine } from './terminal/sanitize.js';

const PROPERTIES = {
  code: { type: 'string', description: 'what happened: one of the error codes' },
  kind: {
    enum: Object.keys(EXIT_CODES),
    description: 'category of the error; determines the exit code',
  },
  exit: { type: 'integer', description: 'the exit code' },
  message: { type: 'string', description: 'what happened, in words, which may change between versions' },
  hint: { type: ['string', 'null'], description: 'what to do, in words, or null' },
  retry: {
    type: 'boolean',
    description: 'true if the same command may succeed later without changes',
  },
  status: { type: ['integer', 'null'], description: 'the HTTP status, or null' },
  method: { type: ['string', 'null'], description: 'the method of the request that failed, or null' },
  path: { type: ['string', 'null'], description: 'the path and query of the request, or null' },
  resume: { type: ['string', 'null'], description: 'the command that resumes the export, or null' },
  ids: {
    type: ['array', 'null'],
    items: { type: 'string' },
    description:
      'the ids or values that "get", "list" or "count" did not find, or null; for an export, see its manifest',
  },
};

/** A later version may add keys and codes. */
export const ERROR_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'An error of opac',
  type: 'object',
  properties: PROPERTIES,
  required: Object.keys(PROPERTIES),
};

export function serializeError(error: unknown, exit: number): string {
  const known =
    error instanceof OpacError ? error : new OpacError('internal', redactText(formatInternalError(error)));
  const { code, kind, message, hint = null, resume = null, ids = null } = known;
  const { status = null, method = null, path = null } = findHttpError(known) ?? {};
  const { retry } = ERROR_CODES[code];
  return JSON.stringify({
    code,
    kind,
    exit,
    message: sanitizeLine(message),
    hint,
    retry,
    status,
    method,
    path,
    resume,
    ids,
  });
}

function findHttpError(error: unknown): HttpError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof HttpError) return at;
  return undefined;
}
