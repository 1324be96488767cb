/** Faults of deployments, one per row, with the error code that `opac help errors` documents. */
import type { FaultEffect } from '../../src/mock/faults/fault.js';
import type { Fault, MuseumOptions } from '../../src/mock/index.js';
import type { ErrorCode } from '../../src/service/error-codes.js';

/** Which requests fail. passing: one request; lasting: all requests; midway: all requests after the first three. */
export const FORMS = ['passing', 'lasting', 'midway'] as const;
export type Form = (typeof FORMS)[number];

export interface FailureRow {
  readonly name: string;
  readonly failure: FaultEffect;
  readonly code: ErrorCode;
  /** True if opac retries such a request (FIELD-NOTES.md "Errors"). `once-reached`: only after another request succeeded. */
  readonly retried: boolean | 'once-reached';
  /** Matches the message, for example the status and the text of the service. */
  readonly message: RegExp;
  /** Options that shorten the waits. */
  readonly options?: readonly string[];
  /** The forms to test. Default: all. */
  readonly forms?: readonly Form[];
}

const createStatusRow = (
  number: number,
  code: ErrorCode,
  more: Partial<Extract<FaultEffect, { kind: 'status' }>> = {},
): FailureRow => ({
  name: `${number}${more.retryAfter ? ` Retry-After in ${more.retryAfter}` : ''}`,
  failure: { kind: 'status', status: number, ...more },
  code,
  retried: [429, 500, 502, 503, 504].includes(number) || (number === 403 && 'once-reached'),
  message: new RegExp(`\\(${number}\\): "Status ${number}"`),
});

const createBodyRow = (name: string, body: string): FailureRow => ({
  name,
  failure: { kind: 'status', status: 200, body },
  code: 'unexpected-response',
  retried: true,
  message: /response|records/,
});

const SHORT_TIMEOUT = ['--timeout', '1', '--retries', '2'] as const;

export const FAILURES: readonly FailureRow[] = [
  createStatusRow(400, 'request-rejected'),
  createStatusRow(401, 'credentials-rejected'),
  createStatusRow(403, 'access-denied'),
  createStatusRow(404, 'not-found'),
  createStatusRow(418, 'unexpected-response'),
  createStatusRow(429, 'busy', { retryAfter: 'seconds' }),
  createStatusRow(429, 'busy', { retryAfter: 'date' }),
  createStatusRow(500, 'service-failed'),
  createStatusRow(501, 'service-failed'),
  createStatusRow(502, 'service-failed'),
  createStatusRow(503, 'busy'),
  createStatusRow(504, 'service-failed'),
  {
    name: '403 of a firewall',
    failure: { kind: 'forbidden' },
    code: 'firewall',
    retried: true,
    message: /firewall .*\(403\)/,
  },
  {
    name: 'challenge 202',
    failure: { kind: 'challenge' },
    code: 'firewall',
    retried: true,
    message: /firewall .*\(202\)/,
  },
  {
    name: 'a web page',
    failure: { kind: 'html' },
    code: 'unexpected-response',
    retried: true,
    message: /a web page/,
  },
  {
    name: 'reset before the response',
    failure: { kind: 'cut-before' },
    code: 'connection-lost',
    retried: true,
    message: /connection to .* lost/,
  },
  {
    name: 'reset in the body',
    failure: { kind: 'cut-body' },
    code: 'connection-lost',
    retried: true,
    message: /connection to .* lost/,
  },
  {
    name: 'truncated',
    failure: { kind: 'truncated' },
    code: 'unexpected-response',
    retried: true,
    message: /incomplete or damaged/,
  },
  createBodyRow('malformed', '{"opacObjects": [}, "totalObjects": 1'),
  createBodyRow('empty', ''),
  createBodyRow('wrong type', '"records"'),
  {
    ...createBodyRow('wrong shape', '{"opacObjects": {"a": 1}, "opacPersons": 7, "images": "none"}'),
    retried: false,
    forms: ['lasting', 'midway'],
  },
  {
    name: 'broken gzip',
    failure: { kind: 'broken-coding', coding: 'gzip' },
    code: 'unexpected-response',
    retried: true,
    message: /compressed .* damaged/,
  },
  {
    name: 'broken brotli',
    failure: { kind: 'broken-coding', coding: 'br' },
    code: 'unexpected-response',
    retried: true,
    message: /compressed .* damaged/,
  },
  {
    name: 'stalled',
    failure: { kind: 'stall' },
    code: 'timeout',
    retried: true,
    message: /within 1 s/,
    options: SHORT_TIMEOUT,
  },
  {
    name: 'dripping',
    failure: { kind: 'drip', pause: 100 },
    code: 'timeout',
    retried: true,
    message: /within 1 s/,
    options: SHORT_TIMEOUT,
  },
  {
    name: 'redirect loop',
    failure: { kind: 'redirect', location: '/api/v3/opacobjects' },
    code: 'unexpected-response',
    retried: false,
    message: /redirect/,
    // A single redirect leads to a valid list of the same deployment.
    forms: ['lasting', 'midway'],
  },
  {
    name: 'foreign redirect',
    failure: { kind: 'redirect', location: 'http://127.0.0.2:9/' },
    code: 'unexpected-response',
    retried: false,
    message: /redirect/,
  },
];

export interface OptionsRow {
  readonly name: string;
  readonly museum: MuseumOptions;
  /** Credentials of the museum in the environment of the command: those of its client, or an access token. */
  readonly credentials?: 'client' | 'token';
}

/** Properties that must not change the result: slow or compressed responses, small pages, and a token that expires. */
export const HARMLESS: readonly OptionsRow[] = [
  { name: 'latency', museum: { latency: 3 } },
  {
    name: 'jitter',
    museum: {
      faults: [
        { kind: 'slow-start', pause: 9, every: 3 },
        { kind: 'slow-start', pause: 3, every: 2 },
      ],
    },
  },
  { name: 'gzip', museum: { gzip: true } },
  { name: 'small pages', museum: { maxPageSize: 30 } },
  {
    name: 'a token that expires, with the secret',
    museum: { access: 'authorized', oauth: { tokenUses: 2 } },
    credentials: 'client',
  },
];

/** Wrong pages. The result must contain every record once, or opac must report missing records. */
const PAGING_FAULTS: Readonly<Record<string, Fault>> = {
  'offset ignored': { kind: 'offset-ignored' },
  'repeated records': { kind: 'repeats', records: 3 },
  'an early end': { kind: 'ends-early', at: 70 },
  'overfull pages': { kind: 'overfills', records: 5 },
  'underfull pages': { kind: 'underfills', records: 5 },
  'records inserted': { kind: 'missing', records: 3, first: 2 },
  'records deleted': { kind: 'missing', records: 3, after: 2 },
  'shifting order': { kind: 'shuffles' },
  'an empty list at the end': { kind: 'empty-end' },
};

export const PAGING: readonly OptionsRow[] = [
  ...Object.entries(PAGING_FAULTS).map(([name, fault]) => ({ name, museum: { faults: [fault] } })),
  { name: 'a window of 80', museum: { faults: [{ kind: 'window', size: 80 }] } },
  ...(['limit-ignored', 'offset-in-pages', 'last-page-repeats', 'total-wrong'] as const).map((kind) => ({
    name: kind,
    museum: { faults: [{ kind }] },
  })),
];
