/** The error of a request: what was requested, what came back, and whether a retry may help. */
import type { ErrorCode } from '../../service/error-codes.js';
import { type ErrorKind, OpacError } from '../../service/errors.js';
import { redactText } from '../../service/redact.js';
import { type HttpRequest, type HttpResponse, pathAndQuery } from '../http-request.js';

/** When to retry. `once-reached`: a mistake at first contact, but passing later, like a host name that was found before. */
export type RetryPolicy = 'always' | 'never' | 'once-reached';

export interface HttpErrorOptions {
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

/**
 * A request that got no usable response, retries included. `path` and messages hold no secrets; `status` is undefined
 * without a response.
 */
export class HttpError extends OpacError {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;
  readonly retry: RetryPolicy;
  retries: number;

  constructor(facts: HttpErrorOptions) {
    const path = redactText(pathAndQuery(facts.request));
    // Parameters of OAuth belong to one login alone, and say nothing.
    const said = path.startsWith('/oauth/') ? path.replace(/\?.*/s, '') : path;
    const shown = said.length > MAX_SHOWN_CHARACTERS ? `${said.slice(0, MAX_SHOWN_CHARACTERS)}…` : said;
    super(facts.kind, `${facts.message} (${facts.request.method} ${shown})`, facts);
    this.name = 'HttpError';
    this.method = facts.request.method;
    this.path = path;
    this.status = facts.response?.status;
    this.serviceMessage = facts.serviceMessage;
    this.retry = facts.retry ?? 'never';
    this.retries = facts.response?.retries ?? 0;
  }
}
