/** HTML pages with charts. A page loads nothing and prints on A4. */
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import type { Chart } from '../../../service/records/collection-figures.js';
import type { FieldUse } from '../../../service/records/field-use.js';
import { escapeHtml, HTML_END, htmlStart } from '../../../system/html.js';
import { formatPercent } from '../terminal/numbers.js';

/** Longer texts are cut, so that a page stays small. */
const MAX_TEXT_LENGTH = 100;
const MAX_FIELDS = 200;

const STYLE = `
header{margin-bottom:2rem}
header p{margin:.1rem 0;color:var(--quiet)}
.charts{columns:2 26rem;column-gap:2.5rem}
.charts section{break-inside:avoid;margin-bottom:2rem}
.charts h2{margin-top:0}
th[scope=row]{font-weight:normal;color:inherit;overflow-wrap:anywhere}
.bar{width:34%;vertical-align:middle}
.bar i{display:block;height:.75rem;background:var(--link);print-color-adjust:exact;-webkit-print-color-adjust:exact}
tr.rest{color:var(--quiet)}
.rest i{background:var(--quiet)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:1rem}
figure{margin:0;break-inside:avoid}
img{display:block;width:100%;height:9rem;object-fit:contain;background:var(--card)}
figcaption{font-size:.875rem;overflow-wrap:anywhere}
figcaption small{display:block}
@media print{:root{--text:#000;--quiet:#444;--ground:#fff;--card:#fff;--line:#bbb;--link:#0b57a4}@page{size:A4;margin:15mm}.report{padding:0;max-width:none}.charts{columns:2}table{font-size:.7rem}th,td{padding:.05rem .4rem .05rem 0}.charts section{break-inside:auto;margin-bottom:1rem}h2{break-after:avoid}p.quiet{break-before:avoid}tr{break-inside:avoid}}
`;

/** `lines` are texts below the title. `sections` are HTML. */
export function renderReportPage(
  title: string,
  lines: readonly string[],
  sections: readonly string[],
): string {
  return `${htmlStart({ title, style: STYLE, allows: 'img-src data:' })}<main class="report">
<header><h1>${escapeHtml(title)}</h1>
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
</header>
${sections.join('\n')}
</main>
${HTML_END}`;
}

/** The charts are next to each other, if there is room. */
export function renderCharts(charts: readonly Chart[]): string {
  return `<div class="charts">\n${charts.map(renderChart).join('\n')}\n</div>`;
}

function renderChart({ title, rows, records, inSeveralRows, note = '' }: Chart): string {
  const largest = Math.max(1, ...rows.map(({ count }) => count));
  const several =
    inSeveralRows > 0
      ? `${formatCount(inSeveralRows, 'record has', 'records have')} several values and ${inSeveralRows === 1 ? 'is' : 'are'} counted in several rows`
      : '';
  const cells = rows.map(({ label, count, isRest }) => {
    const width = ((count / largest) * 100).toFixed(1);
    const share = records > 0 ? formatPercent((count / records) * 100) : '';
    return `<tr${isRest ? ' class="rest"' : ''}><th scope="row">${cutText(label)}</th><td class="bar"><i style="width:${width}%"></i></td><td class="number">${formatNumber(count)}</td><td class="number">${share}</td></tr>`;
  });
  const notes = [note, several].filter(Boolean).join('; ');
  return `<section><h2>${cutText(title)}</h2><table><tbody>
${cells.join('\n')}
</tbody></table>${notes === '' ? '' : `<p class="quiet">${escapeHtml(notes)}</p>`}</section>`;
}

export function createFieldChart(fields: readonly FieldUse[]): Chart {
  const [first = { filled: 0, empty: 0 }] = fields;
  const rows = fields.map(({ column, label, filled }) => ({ label: label || column, count: filled }));
  return {
    title: 'Completeness of fields',
    rows: rows.slice(0, MAX_FIELDS),
    records: first.filled + first.empty,
    inSeveralRows: 0,
    note: rows.length > MAX_FIELDS ? `the first ${MAX_FIELDS} of ${rows.length} fields` : '',
  };
}

export interface ReportCard {
  readonly title: string;
  readonly lines: readonly string[];
  /** A data URL; undefined without a thumbnail. */
  readonly thumbnail: string | undefined;
}

export function renderCards(heading: string, cards: readonly ReportCard[]): string {
  const figures = cards.map(({ title, lines, thumbnail }) => {
    const image = thumbnail ? `<img src="${escapeHtml(thumbnail)}" alt="${cutText(title)}"/>` : '';
    const texts = lines.filter((line) => line !== '').map((line) => `<small>${cutText(line)}</small>`);
    return `<figure>${image}<figcaption><b>${cutText(title)}</b>${texts.join('')}</figcaption></figure>`;
  });
  return `<section><h2>${heading}</h2><div class="cards">\n${figures.join('\n')}\n</div></section>`;
}

function cutText(text: string): string {
  const cut = [...text.slice(0, MAX_TEXT_LENGTH * 2)].slice(0, MAX_TEXT_LENGTH).join('');
  return escapeHtml(cut.length < text.length ? `${cut}…` : text);
}
