/** The report as one HTML page, without a script or an address. */
import { escapeHtml, HTML_END, htmlStart } from '../../system/html.js';
import type { Verdict } from '../check.js';
import type { Latency } from '../probe/latency.js';
import {
  type CheckResult,
  formatSummary,
  MARKS,
  type Report,
  type ReportedDeviation,
} from './report-text.js';

const TITLES: Readonly<Record<Verdict, string>> = {
  fail: 'Failed',
  warn: 'Warned',
  pass: 'Passed',
  skip: 'Skipped',
};

const STYLE = `
header p,.source,summary{color:var(--quiet);font-size:.875rem;overflow-wrap:anywhere}
header .problem{color:var(--bad);font-weight:600}
.tiles{list-style:none;display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.5rem;padding:0;margin:1rem 0 0}
.tiles li{background:var(--card);border-radius:.5rem;padding:.75rem;text-align:center;font-size:.875rem}
.tiles b{display:block;font-size:1.75rem;line-height:1.2}
.fail>b,tr.fail .verdict,.fail h3{color:var(--bad)}
.warn>b,tr.warn .verdict,.warn h3{color:var(--warn)}
.pass>b,tr.pass .verdict{color:var(--good)}
.skip>b,tr.skip .verdict,.tiles .none>b{color:var(--quiet)}
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

export function htmlReport(report: Report): string {
  const { deployment, started, milliseconds, requests, generator, scheme, summary, problem } = report;
  const time = `${started.slice(0, 10)} ${started.slice(11, 19)} UTC`;
  return `${htmlStart({ title: `${formatSummary(report)}: ${deployment}`, style: STYLE })}<main class="report">
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
${HTML_END}`;
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
    return `<tr class="${verdict}"><td class="verdict">${MARKS[verdict]} ${verdict}</td><td class="id">${name}</td><td class="promise">${escapeHtml(promise)}${why}</td><td class="number">${time}</td></tr>`;
  });
  return `<table><thead><tr><th>verdict</th><th>check</th><th>promise</th><th>time</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`;
}

function latencySection(latency: readonly Latency[]): string {
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
