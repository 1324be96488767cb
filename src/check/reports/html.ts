/** The report as one HTML page that needs nothing else: no script, no address, light or dark as its reader has it. */
import { escapeHtml } from '../../system/html.js';
import type { Verdict } from '../check.js';
import type { Latency } from '../probe/latency.js';
import { HTML_STYLE } from './html-style.js';
import { MARKS, summaryText } from './lines.js';
import type { CheckResult, Report, ReportedDeviation } from './report.js';

const TITLES: Readonly<Record<Verdict, string>> = {
  fail: 'Failed',
  warn: 'Warned',
  pass: 'Passed',
  skip: 'Skipped',
};

/** Well-formed as XML too, so that any tool can read it. */
export function htmlReport(report: Report): string {
  const { deployment, started, milliseconds, requests, generator, scheme, summary, problem } = report;
  const time = `${started.slice(0, 10)} ${started.slice(11, 19)} UTC`;
  return `<!DOCTYPE html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<title>${escapeHtml(summaryText(report))}: ${escapeHtml(deployment)}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
<main>
<header>
<h1>${escapeHtml(deployment)}</h1>
<p>${escapeHtml(time)}, ${requests} requests in ${(milliseconds / 1000).toFixed(1)} s, scheme ${escapeHtml(scheme)}, ${escapeHtml(generator)}</p>
<ul class="tiles">${(['fail', 'warn', 'pass', 'skip'] as const).map((verdict) => tile(verdict, summary[verdict])).join('')}</ul>
${problem === null ? '' : `<p class="problem">${escapeHtml(problem)}</p>`}
</header>
${(['fail', 'warn'] as const).map((verdict) => found(verdict, report)).join('')}
<section><h2>All checks</h2>${table(report.checks)}</section>
${latencySection(report.latency)}
</main>
</body>
</html>
`;
}

function tile(verdict: Verdict, count: number): string {
  return `<li class="${verdict}${count === 0 ? ' none' : ''}"><b>${count}</b> ${TITLES[verdict].toLowerCase()}</li>`;
}

function found(verdict: Verdict, { checks }: Report): string {
  const results = checks.filter((each) => each.verdict === verdict);
  if (results.length === 0) return '';
  return `<section><h2>${TITLES[verdict]}</h2>${results.map(article).join('')}</section>\n`;
}

function article({ id, promise, source, verdict, deviations }: CheckResult): string {
  return `<article class="${verdict}" id="${escapeHtml(id)}"><h3>${escapeHtml(id)}</h3><p>${escapeHtml(promise)}</p>
${deviations.map(deviation).join('\n')}<p class="source">${escapeHtml(source)}</p></article>\n`;
}

function deviation({ expected, received, request }: ReportedDeviation): string {
  const exchange = request
    ? `<details><summary>${escapeHtml(`${request.status ?? 'no response'} in ${request.milliseconds} ms`)}${request.tries > 1 ? `, ${request.tries} tries` : ''}: <code>${escapeHtml(request.path)}</code></summary>
<pre>${escapeHtml(request.curl)}</pre><pre>${escapeHtml(request.response)}</pre></details>`
    : '';
  return `<dl><dt>expected</dt><dd>${escapeHtml(expected)}</dd><dt>received</dt><dd>${escapeHtml(received)}</dd></dl>${exchange}`;
}

function table(checks: readonly CheckResult[]): string {
  const rows = checks.map(({ id, promise, verdict, reason, milliseconds }) => {
    const name =
      verdict === 'fail' || verdict === 'warn'
        ? `<a href="#${escapeHtml(id)}">${escapeHtml(id)}</a>`
        : escapeHtml(id);
    // A shared request counts for the first check that sent it, so some checks take no time.
    const time = milliseconds === 0 ? '' : `${milliseconds} ms`;
    const why = reason === null ? '' : `<br/><small>${escapeHtml(reason)}</small>`;
    return `<tr class="${verdict}"><td class="verdict">${MARKS[verdict]} ${verdict}</td><td class="id">${name}</td><td class="promise">${escapeHtml(promise)}${why}</td><td class="time">${time}</td></tr>`;
  });
  return `<table><thead><tr><th>verdict</th><th>check</th><th>promise</th><th>time</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

/** Bars of the median within bars of the 95th percentile, all on one scale. */
function latencySection(latency: readonly Latency[]): string {
  if (latency.length === 0) return '';
  const most = Math.max(...latency.map(({ p95 }) => p95), 1);
  const share = (milliseconds: number) => `${((milliseconds / most) * 100).toFixed(1)}%`;
  const rows = latency
    .toSorted((one, other) => other.p95 - one.p95)
    .map(
      ({ endpoint, requests, median, p95 }) =>
        `<tr><td class="id">${escapeHtml(endpoint)}</td><td class="bar"><svg width="100%" height="14" role="img" aria-label="${p95} ms"><rect class="p95" width="${share(p95)}" height="14" rx="2"/><rect class="median" width="${share(median)}" height="14" rx="2"/></svg></td><td class="time">${median} / ${p95} ms</td><td class="time">${requests}</td></tr>`,
    );
  return `<section><h2>Latency</h2><table class="latency"><thead><tr><th>endpoint</th><th></th><th>median / p95</th><th>requests</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></section>`;
}
