/** From answers that are not what was asked for to errors: which kind, what was seen, what to do. */
import type { ErrorKind } from '../../service/errors.js';
import { isObject } from '../../service/json.js';
import { KIND_WORDS, KINDS } from '../../service/kinds.js';
import type { Answer, Request } from '../exchange.js';
import { isFirewall, isWebPage } from './firewall.js';
import { HttpError } from './http-error.js';
import { parseJson } from './parse-json.js';

/** What an error may name beside the request and its answer. */
export interface Asked {
  readonly baseUrl: string;
  /** What the person can do when the credentials are missing or rejected. */
  readonly credentialsHint?: string | undefined;
}

interface Rule {
  readonly when: (answer: Answer, request: Request) => boolean;
  readonly kind: ErrorKind;
  readonly says: (status: number) => string;
  readonly hint: (asked: Asked) => string | undefined;
}

const rightBase = ({ baseUrl }: Asked) => `is ${baseUrl} the right base URL?`;
const logIn = ({ credentialsHint }: Asked) => credentialsHint ?? 'log in with "opac login"';
const LATER = () => 'try again later, or more gently with --concurrency 1 or --rate 1';

/** Every deployment has these, whatever it holds. */
const SEARCHES: ReadonlySet<string> = new Set(KINDS.map((kind) => `/${KIND_WORDS[kind].segment}`));

/** The first that holds, holds. */
const RULES: readonly Rule[] = [
  {
    when: isFirewall,
    kind: 'deployment',
    says: (status) => `a web firewall in front of the service stopped the request (${status})`,
    hint: () => 'wait and try more gently with --rate 1, or ask the museum to let this address through',
  },
  {
    when: (answer) => answer.status === 404 && isWebPage(answer),
    kind: 'deployment',
    says: () => 'there is no such interface at this address: the server sent a web page with 404',
    hint: rightBase,
  },
  {
    when: ({ status }) => status === 401,
    kind: 'auth',
    says: (status) => `the service asks for valid credentials (${status})`,
    hint: logIn,
  },
  {
    when: ({ status }) => status === 403,
    kind: 'auth',
    says: (status) => `the service does not allow this with the credentials given (${status})`,
    hint: logIn,
  },
  {
    when: ({ status }, { path }) => status === 404 && SEARCHES.has(path),
    kind: 'deployment',
    says: (status) => `there is no such interface at this address (${status})`,
    hint: rightBase,
  },
  {
    when: ({ status }) => status === 404,
    kind: 'not-found',
    says: (status) => `the service has nothing there (${status})`,
    hint: () => undefined,
  },
  {
    when: (answer) => (answer.status === 400 || answer.status === 422) && !isWebPage(answer),
    kind: 'usage',
    says: (status) => `the service refuses the request as wrong (${status})`,
    hint: () => 'check the query and the options',
  },
  {
    when: ({ status }) => status === 429 || status === 503,
    kind: 'deployment',
    says: (status) => `the service is too busy to answer (${status})`,
    hint: LATER,
  },
  {
    when: ({ status }) => status >= 500,
    kind: 'deployment',
    says: (status) => `the service failed (${status})`,
    hint: LATER,
  },
];

const OTHERWISE: Omit<Rule, 'when'> = {
  kind: 'deployment',
  says: (status) => `the server gave an unexpected answer (${status})`,
  hint: rightBase,
};

/** The error that a status, or a firewall, amounts to; undefined for a 2xx answer of the service. */
export function statusError(request: Request, answer: Answer, asked: Asked): HttpError | undefined {
  if (answer.status >= 200 && answer.status < 300 && !isFirewall(answer)) return undefined;
  const rule = RULES.find(({ when }) => when(answer, request)) ?? OTHERWISE;
  const message = serviceMessage(answer);
  return new HttpError({
    kind: rule.kind,
    request,
    answer,
    says: message ? `${rule.says(answer.status)}: "${message}"` : rule.says(answer.status),
    hint: rule.hint(asked),
    serviceMessage: message,
  });
}

/**
 * The JSON object or list of a 2xx answer. Throws an HttpError of kind `deployment` that says what was seen when it is a
 * web page, nothing, JSON cut short or no JSON at all; asking again may help with each.
 */
export function readJson(request: Request, answer: Answer, asked: Asked): object {
  const refuse = (says: string, cause?: unknown) =>
    new HttpError({
      kind: 'deployment',
      request,
      answer,
      says,
      hint: rightBase(asked),
      retry: 'always',
      cause,
    });

  if (isWebPage(answer)) throw refuse('the server sent a web page instead of records');
  if (answer.bytes.length === 0) throw refuse(`the server sent an empty answer (${answer.status})`);
  let value: unknown;
  try {
    value = parseJson(answer.bytes);
  } catch (error) {
    const begun = /^\s*[[{]/.test(answer.bytes.toString('utf8', 0, 64));
    const broken = `the answer breaks off or is damaged: ${answer.bytes.length} bytes that are not whole JSON`;
    throw refuse(begun ? broken : 'the server sent something else than JSON', error);
  }
  if (typeof value !== 'object' || value === null)
    throw refuse('the server sent a bare value instead of records');
  return value;
}

const LONGEST_MESSAGE = 300;

/** The service's own words (`{"message": …}`), as one printable line of bounded length. */
export function serviceMessage(answer: Answer): string | undefined {
  let value: unknown;
  try {
    value = parseJson(answer.bytes.subarray(0, 65_536));
  } catch {
    return undefined;
  }
  const message = isObject(value) ? (value.message ?? value.error) : undefined;
  if (typeof message !== 'string') return undefined;
  const line = message.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line || undefined;
}
