/** The error of a request: what was asked, what came back, and whether asking again may help. */
import { type ErrorKind, OpacError } from '../../service/errors.js';
import { type Answer, pathAndQuery, type Request } from '../exchange.js';
import { redact } from '../redact.js';

/**
 * When to ask again: `always` for what passes by itself, `never` for what cannot change, and `once-reached` for what is a
 * mistake at first contact but a disturbance later (a host name that was found before).
 */
export type Retry = 'always' | 'never' | 'once-reached';

export interface HttpFacts {
  readonly kind: ErrorKind;
  readonly request: Pick<Request, 'method' | 'path' | 'query'>;
  /** What is wrong: a sentence without the method and path, which are put after it. */
  readonly says: string;
  readonly hint?: string | undefined;
  readonly answer?: Pick<Answer, 'status' | 'retries'> | undefined;
  /** The service's own words. */
  readonly serviceMessage?: string | undefined;
  readonly retry?: Retry;
  readonly cause?: unknown;
}

/** Longest path that is shown whole in a message; `HttpError.path` always has all of it. */
const LONGEST_SHOWN = 200;

export class HttpError extends OpacError {
  readonly method: Request['method'];
  /** With its query, as sent below `/api/v3`, secrets taken out. */
  readonly path: string;
  /** Undefined when there was no answer at all. */
  readonly status: number | undefined;
  readonly serviceMessage: string | undefined;
  readonly retry: Retry;
  /** How often the request was sent again before this error was final. Set by the retry layer. */
  retries: number;

  constructor(facts: HttpFacts) {
    const path = redact(pathAndQuery(facts.request));
    const shown = path.length > LONGEST_SHOWN ? `${path.slice(0, LONGEST_SHOWN)}…` : path;
    super(facts.kind, `${facts.says} (${facts.request.method} ${shown})`, facts);
    this.name = 'HttpError';
    this.method = facts.request.method;
    this.path = path;
    this.status = facts.answer?.status;
    this.serviceMessage = facts.serviceMessage;
    this.retry = facts.retry ?? 'never';
    this.retries = facts.answer?.retries ?? 0;
  }
}
