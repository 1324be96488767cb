/** An error for programs: one line of JSON, whose keys stay the same between versions. */
import { HttpError } from '../../client/errors/http-error.js';
import { ERROR_CODES } from '../../service/error-codes.js';
import { OpacError } from '../../service/errors.js';
import { redact } from '../../service/redact.js';
import { internalError } from './error-lines.js';
import { oneLine } from './terminal/sanitise.js';

export const ERROR_KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['code', 'what happened: one of the codes below'],
  ['kind', 'what sort of thing it is; it decides the exit code'],
  ['exit', 'the exit code'],
  ['message', 'what happened, in words, which may change between versions'],
  ['hint', 'what to do, in words, or null'],
  ['retry', 'true when the same command may succeed later, with nothing changed'],
  ['status', 'the HTTP status, or null'],
  ['method', 'the method of the request that failed, or null'],
  ['path', 'its path and query, or null'],
  ['resume', 'the command that goes on with an export, or null'],
  ['ids', 'every id that was not found where several were asked for, or null'],
];

/** The same as one line of JSON, with every key each time; see ERROR_KEYS. */
export function errorJson(error: unknown, exit: number): string {
  const known = error instanceof OpacError ? error : new OpacError('internal', redact(internalError(error)));
  const { code, kind, message, hint = null, resume = null, ids = null } = known;
  const { status = null, method = null, path = null } = httpErrorOf(known) ?? {};
  const { retry } = ERROR_CODES[code];
  return JSON.stringify({
    code,
    kind,
    exit,
    message: oneLine(message),
    hint,
    retry,
    status,
    method,
    path,
    resume,
    ids,
  });
}

function httpErrorOf(error: unknown): HttpError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof HttpError) return at;
  return undefined;
}
