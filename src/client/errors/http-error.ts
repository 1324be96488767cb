/** The error of a failed request. */
import type { ErrorCode } from '../../service/error-codes.js';
import { type ErrorKind, OpacError } from '../../service/errors.js';
import { redactText } from '../../service/redact.js';
import { type HttpRequest, type HttpResponse, pathAndQuery } from '../http-request.js';

/** `once-reached`: retry only if an earlier request succeeded, which shows, for example, that the host name is correct. */
export type RetryPolicy = 'always' | 'never' | 'once-reached';

interface HttpErrorOptions {
  readonly kind: ErrorKind;
  readonly code?: ErrorCode;
  readonly request: Pick<HttpRequest, 'method' | 'path' | 'query'>;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly response?: Pick<HttpResponse, 'status' | 'retries'> | undefined;
  readonly serviceMessage?: string | undefined;
  readonly retry?: RetryPolicy;
  readonly cause?: unknown;
}

const MAX_SHOWN_CHARACTERS = 200;

/** After retries, `retries` contains their number. `path` and messages contain no secrets. */
export class HttpError extends OpacError {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;
  readonly retry: RetryPolicy;
  retries: number;

  constructor(options: HttpErrorOptions) {
    const { request, response } = options;
    const path = redactText(pathAndQuery(request));
    const shownPath = path.startsWith('/oauth/') ? path.replace(/\?.*/s, '') : path;
    const shown =
      shownPath.length > MAX_SHOWN_CHARACTERS ? `${shownPath.slice(0, MAX_SHOWN_CHARACTERS)}…` : shownPath;
    super(options.kind, `${options.message} (${request.method} ${shown})`, options);
    this.name = 'HttpError';
    this.method = request.method;
    this.path = path;
    this.status = response?.status;
    this.serviceMessage = options.serviceMessage;
    this.retry = options.retry ?? 'never';
    this.retries = response?.retries ?? 0;
  }
}
