/** The JSON Schema (draft 2020-12) of the JSON report, for `opac help check-report -f json`. */
import { REPORT_VERSION } from './report-text.js';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const orNull = (type: string) => ({ type: [type, 'null'] });

/** Each property is required. Later versions may add keys, so other keys are allowed. */
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
    path: { ...text, description: 'the path below /api/v3 with the query, or the complete URL of an image' },
    status: { ...orNull('integer'), description: 'null if no response arrived' },
    milliseconds: count,
    tries: count,
    curl: {
      ...text,
      description: 'a command that repeats the request, with variables instead of credentials',
    },
    response: {
      ...text,
      description:
        'the start of the response; for an image, its size and type; the error if no valid response arrived',
    },
  }),
  type: ['object', 'null'],
};

const deviation = object({ expected: text, received: text, request });

const check = object({
  id: text,
  promise: text,
  source: { ...text, description: 'documentation of the expected behaviour' },
  verdict: { enum: ['pass', 'fail', 'warn', 'skip'] },
  milliseconds: {
    ...count,
    description:
      'the time of the API requests; a request that several checks use counts only for the first of them',
  },
  reason: {
    ...orNull('string'),
    description: 'the reason why the check was skipped, or why its deviations are only warnings',
  },
  deviations: { type: 'array', items: deviation },
});

const latency = object(
  { endpoint: text, requests: count, median: count, p95: count, longest: count },
  'response times in milliseconds, and the number of requests',
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
    requests: { ...count, description: 'number of requests, including retries' },
    ended: { enum: ['finished', 'unauthorized', 'unreachable', 'interrupted'] },
    problem: { ...orNull('string'), description: 'the reason why the run did not finish' },
    summary: object({ pass: count, fail: count, warn: count, skip: count }),
    checks: { type: 'array', items: check },
    latency: { type: 'array', items: latency },
  }),
};
