/** The JSON Schema (draft 2020-12) of the JSON report: what `opac help check-report -f json` prints. */
import { REPORT_VERSION } from './report-text.js';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const orNull = (type: string) => ({ type: [type, 'null'] });

/** An object that has all of these keys; a later minor version may add some. */
function object(properties: Readonly<Record<string, unknown>>, description?: string) {
  return {
    type: 'object',
    ...(description && { description }),
    properties,
    required: Object.keys(properties),
  };
}

const request = {
  ...object({
    path: { ...text, description: 'below /api/v3, with its query; for an image its whole address' },
    status: { ...orNull('integer'), description: 'null when nothing was received' },
    milliseconds: count,
    tries: count,
    curl: { ...text, description: 'the command that sends it again, with variables in place of credentials' },
    response: { ...text, description: 'the start of the response' },
  }),
  type: ['object', 'null'],
};

const deviation = object({ expected: text, received: text, request });

const check = object({
  id: text,
  promise: text,
  source: { ...text, description: 'where the promise stands' },
  verdict: { enum: ['pass', 'fail', 'warn', 'skip'] },
  milliseconds: { ...count, description: 'of its requests, those of earlier checks left out' },
  reason: { ...orNull('string'), description: 'why it was skipped' },
  deviations: { type: 'array', items: deviation },
});

const latency = object(
  { endpoint: text, requests: count, median: count, p95: count, longest: count },
  'milliseconds',
);

export const REPORT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'The report of opac check',
  ...object({
    version: { const: REPORT_VERSION },
    generator: text,
    deployment: text,
    scheme: { enum: ['bearer', 'basic', 'anonymous'] },
    started: { ...text, description: 'ISO 8601' },
    milliseconds: count,
    requests: { ...count, description: 'sent, each try counted' },
    ended: { enum: ['finished', 'unauthorized', 'unreachable', 'interrupted'] },
    problem: { ...orNull('string'), description: 'why it did not finish' },
    summary: object({ pass: count, fail: count, warn: count, skip: count }),
    checks: { type: 'array', items: check },
    latency: { type: 'array', items: latency },
  }),
};
