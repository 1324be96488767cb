/** A comparison as one HTML page that needs nothing else: no script, no address, light or dark as its reader has it. */
import { grouped } from '../../service/grouped.js';
import { escapeHtml } from '../../system/html.js';
import { CHANGE_KINDS, type Change } from '../changes.js';
import type { Difference } from '../difference.js';
import { changeText, fieldRows, headLines, notShown, type ReportFacts } from './report.js';
import { changedWords, type Piece } from './words.js';

const STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--quiet:#5b6470;--ground:#fff;--card:#f5f6f8;--line:#d8dce2;--old:#b42318;--old-ground:#fde7e4;--new:#12662c;--new-ground:#ddf4e4}
@media(prefers-color-scheme:dark){:root{--text:#e6e9ee;--quiet:#9aa4b2;--ground:#14171c;--card:#1d2229;--line:#343b46;--old:#ff9d90;--old-ground:#44211d;--new:#7fe0a0;--new-ground:#173a24}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:70rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.4rem;margin:0}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:0}
h1,h3,p,dd,dt,td:first-child{overflow-wrap:anywhere}
.about,.more{color:var(--quiet);font-size:.875rem;margin:.1rem 0}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th{text-align:right;color:var(--quiet);font-weight:500}
td{text-align:right;font-variant-numeric:tabular-nums}
th,td{padding:.3rem 0 .3rem .75rem;border-bottom:1px solid var(--line);vertical-align:top}
th:first-child,td:first-child{text-align:left;padding-left:0}
td:first-child,dt{font-family:ui-monospace,monospace;font-size:.8rem}
article{background:var(--card);border-left:4px solid var(--line);border-radius:.25rem;padding:1rem;margin:0 0 1rem;content-visibility:auto;contain-intrinsic-size:auto 8rem}
article.added{border-color:var(--new)}
article.removed{border-color:var(--old)}
dl{display:grid;grid-template-columns:minmax(8rem,16rem) minmax(0,1fr);gap:.4rem .75rem;margin:.75rem 0 0}
dt{color:var(--quiet);padding-top:.2rem}
dd{margin:0;white-space:pre-wrap}
dd p{margin:0}
ins{color:var(--new);background:var(--new-ground);text-decoration:none;border-radius:.15rem;padding:0 .1em}
del{color:var(--old);background:var(--old-ground);border-radius:.15rem;padding:0 .1em}
small{color:var(--quiet)}
@media(max-width:40rem){dl{grid-template-columns:1fr;gap:.1rem}dt{margin-top:.5rem}}
@media print{article{break-inside:avoid;background:none}}
`;

/** Well-formed as XML too, so that any tool can read it. */
export function htmlReport(facts: ReportFacts): string {
  const { older, newer, differences } = facts;
  const left = notShown(facts);
  return `<!DOCTYPE html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>
<title>Changes from ${escapeHtml(older)} to ${escapeHtml(newer)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<h1>Changes from ${escapeHtml(older)} to ${escapeHtml(newer)}</h1>
${headLines(facts)
  .map((line) => `<p>${escapeHtml(line)}</p>`)
  .join('')}
</header>
${fieldTable(facts)}
${(['added', 'removed', 'changed'] as const).map((change) => section(change, differences)).join('')}
${left > 0 ? `<p class="more">${grouped(left)} more records differ; -f csv has them all.</p>` : ''}
</main>
</body>
</html>
`;
}

function fieldTable({ tally }: ReportFacts): string {
  const rows = fieldRows(tally).map(
    ([field, ...counts]) =>
      `<tr><td>${escapeHtml(field)}</td>${counts.map((count) => `<td>${count || ''}</td>`).join('')}</tr>`,
  );
  if (rows.length === 0) return '';
  const head = ['field', ...CHANGE_KINDS].map((name) => `<th>${name}</th>`).join('');
  return `<section><h2>Fields</h2><table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></section>`;
}

function section(change: Difference['change'], differences: readonly Difference[]): string {
  const some = differences.filter((each) => each.change === change);
  if (some.length === 0) return '';
  return `<section><h2>${change.replace(/^./, (letter) => letter.toUpperCase())}</h2>\n${some.map(article).join('\n')}\n</section>\n`;
}

function article(difference: Difference): string {
  const { title, change, changes, context } = difference;
  const rows = [
    ...Object.entries(context).map(
      ([name, values]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(values.join('; '))}</dd>`,
    ),
    ...changes.map(row),
  ];
  const list = rows.length > 0 ? `<dl>${rows.join('')}</dl>` : '';
  return `<article class="${change}"><h3>${escapeHtml(title || '(no title)')}</h3><p class="about">${escapeHtml(changeText(difference))}</p>${list}</article>`;
}

function row(change: Change): string {
  const lines = changedWords(change).map((line) => `<p>${line.map(pieceHtml).join('')}</p>`);
  return `<dt>${escapeHtml(change.field)} <small>${change.change}</small></dt><dd>${lines.join('')}</dd>`;
}

function pieceHtml({ text, sign }: Piece): string {
  if (sign === 'old') return `<del>${escapeHtml(text)}</del>`;
  return sign === 'new' ? `<ins>${escapeHtml(text)}</ins>` : escapeHtml(text);
}
