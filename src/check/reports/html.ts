/** Renders the report as one HTML page without scripts, external files or external links. */
import { formatCount } from '../../service/format-numbers.js';
import { escapeHtml, HTML_END, htmlStart } from '../../system/html.js';
import type { Verdict } from '../check.js';
import type { Latency } from '../probe/latency.js';
import {
  type CheckResult,
  formatSummary,
  type Report,
  type ReportedDeviation,
  VERDICT_SYMBOLS,
} from './report-text.js';

const STYLE = `
header p,.source,summary{color:var(--quiet);font-size:.875rem;overflow-wrap:anywhere}
header .problem{color:var(--bad);font-weight:600}
tr.fail .verdict,.fail h3{color:var(--bad)}
tr.warn .verdict,.warn h3{color:var(--warn)}
tr.pass .verdict{color:var(--good)}
tr.skip .verdict{color:var(--quiet)}
article.fail{border-color:var(--bad)}
article.warn{border-color:var(--warn)}
article p{margin:.25rem 0}
summary{cursor:pointer}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--ground);border:1px solid var(--line);border-radius:.25rem;padding:.5rem;margin:.5rem 0;font-size:.8rem}
.verdict,.id{white-space:nowrap}
.promise{overflow-wrap:anywhere}
@media(max-width:40rem){.id{white-space:normal}}
a{color:inherit}
`;

export function renderHtml(report: Report, strict: boolean): string {
  const { deployment, started, milliseconds, requests, generator, scheme, problem } = report;
  const time = `${started.slice(0, 10)} ${started.slice(11, 19)} UTC`;
  return `${htmlStart({ title: `${formatSummary(report)}: ${deployment}`, style: STYLE })}<main class="report">
<header>
<h1>${escapeHtml(deployment)}</h1>
<p>${escapeHtml(time)}, ${formatCount(requests, 'request')} in ${(milliseconds / 1000).toFixed(1)} s, scheme ${escapeHtml(scheme)}, ${escapeHtml(generator)}</p>
<p><strong>${formatSummary(report)}</strong></p>
${problem === null ? '' : `<p class="problem">${escapeHtml(problem)}</p>`}
</header>
${renderDeviating('Failures', 'fail', report)}${renderDeviating(strict ? 'Warnings (they count as failures)' : 'Warnings', 'warn', report)}
<section><h2>All checks</h2>${renderTable(report.checks)}</section>
${renderLatency(report.latency)}
</main>
${HTML_END}`;
}

function renderDeviating(title: string, verdict: Verdict, { checks }: Report): string {
  const results = checks.filter((each) => each.verdict === verdict);
  if (results.length === 0) return '';
  return `<section><h2>${title}</h2>${results.map(renderCheck).join('')}</section>\n`;
}

function renderCheck({ id, promise, source, verdict, deviations }: CheckResult): string {
  return `<article class="${verdict}" id="${escapeHtml(id)}"><h3>${escapeHtml(id)}</h3><p>${escapeHtml(promise)}</p>
${deviations.map(renderDeviation).join('\n')}<p class="source">${escapeHtml(source)}</p></article>\n`;
}

function renderDeviation({ expected, received, request }: ReportedDeviation): string {
  const exchange = request
    ? `<details><summary>${escapeHtml(`${request.status ?? 'no response'} in ${request.milliseconds} ms`)}${request.tries > 1 ? `, ${request.tries} tries` : ''}: <code>${escapeHtml(request.path)}</code></summary>
<pre>${escapeHtml(request.curl)}</pre><pre>${escapeHtml(request.response)}</pre></details>`
    : '';
  return `<dl><dt>expected</dt><dd>${escapeHtml(expected)}</dd><dt>received</dt><dd>${escapeHtml(received)}</dd></dl>${exchange}`;
}

function renderTable(checks: readonly CheckResult[]): string {
  const rows = checks.map(({ id, promise, verdict, reason, milliseconds }) => {
    const name =
      verdict === 'fail' || verdict === 'warn'
        ? `<a href="#${escapeHtml(id)}">${escapeHtml(id)}</a>`
        : escapeHtml(id);
    // A request that several checks use counts for only one of them, so the time of a check may be 0.
    const time = milliseconds === 0 ? '' : `${milliseconds} ms`;
    const why = reason === null ? '' : `<br/><small>${escapeHtml(reason)}</small>`;
    return `<tr class="${verdict}"><td class="verdict">${VERDICT_SYMBOLS[verdict]} ${verdict}</td><td class="id">${name}</td><td class="promise">${escapeHtml(promise)}${why}</td><td class="number">${time}</td></tr>`;
  });
  return `<table><thead><tr><th>verdict</th><th>check</th><th>promise</th><th>time</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

function renderLatency(latency: readonly Latency[]): string {
  if (latency.length === 0) return '';
  const rows = latency
    .toSorted((one, other) => other.p95 - one.p95)
    .map(
      ({ endpoint, requests, median, p95 }) =>
        `<tr><td class="id">${escapeHtml(endpoint)}</td><td class="number">${median} / ${p95} ms</td><td class="number">${requests}</td></tr>`,
    );
  return `<section><h2>Latency</h2><table class="latency"><thead><tr><th>endpoint</th><th>median / p95</th><th>requests</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></section>`;
}
