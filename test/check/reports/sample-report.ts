/** A report with every verdict, and with texts that a hostile deployment may send. */
import { Recorder } from '../../../src/check/probe/recorder.js';
import type { CheckResult, Report, ReportedDeviation } from '../../../src/check/reports/report-text.js';
import { registerSecret } from '../../../src/service/redact.js';

export const SECRET = 'sesame-4f0b2c';

/** Markup, escape sequences, log commands of CI systems, and the end marks of all report formats. */
export const HOSTILE =
  '</failure>]]><script>alert(1)</script>"\'&amp;\u001b[31m\u0000\ufffe::error::x%0A\n::warning::y\nnot ok 99 - z # SKIP\n| a | `b` ```\n<img src=x onerror=alert(1)> \u202e\ud800 [l](javascript:x) @all';

/** Sanitizes the texts of the deployment, as for a real report. */
const recorder = new Recorder(() => '');
registerSecret(SECRET);

function deviation(text: string): ReportedDeviation {
  return {
    expected: recorder.sanitize(text),
    received: recorder.sanitize(`${text} ${SECRET}`),
    request: {
      path: recorder.sanitize(`/opacobjects?query=${text}`),
      status: 200,
      milliseconds: 12,
      tries: 1,
      curl: recorder.sanitize(`curl -sS '${text}'`),
      response: recorder.sanitize(`{"token":"${SECRET}","x":"${text}"}`, 1500),
    },
  };
}

const result = (id: string, verdict: CheckResult['verdict'], text?: string): CheckResult => ({
  id,
  promise: `the promise of ${id}`,
  source: 'INTERFACE.md "Endpoints"',
  verdict,
  milliseconds: 34,
  reason: verdict === 'skip' ? recorder.sanitize(text ?? 'there is none') : null,
  deviations: text === undefined || verdict === 'skip' ? [] : [deviation(text), deviation('plain')],
});

const checks = [
  result('access.works', 'pass'),
  result('endpoint.objects.search', 'fail', HOSTILE),
  result('paging.cap', 'warn', HOSTILE),
  result('paging.end', 'skip', HOSTILE),
  result('search.and', 'pass'),
];

export const SAMPLE: Report = {
  version: 1,
  generator: 'opac 0.1.0',
  deployment: 'https://collection.example.org/folder',
  scheme: 'bearer',
  started: '2026-11-21T10:00:00.123Z',
  milliseconds: 4321,
  requests: 87,
  ended: 'unreachable',
  problem: recorder.sanitize(HOSTILE),
  summary: { pass: 2, fail: 1, warn: 1, skip: 1 },
  checks,
  latency: [
    { endpoint: 'objects.search', requests: 12, median: 80, p95: 400, longest: 400 },
    { endpoint: 'colors.list', requests: 1, median: 8, p95: 8, longest: 8 },
  ],
};
