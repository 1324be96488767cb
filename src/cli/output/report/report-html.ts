/** The HTML pages with charts: the collection report, facets and fields. A page loads nothing and prints on A4. */
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import type { Chart, ChartRow } from '../../../service/records/collection-figures.js';
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
@media print{:root{--text:#000;--quiet:#444;--ground:#fff;--card:#fff;--line:#bbb;--link:#0b57a4}@page{size:A4;margin:15mm}.report{padding:0;max-width:none}.charts{columns:2}h2{break-after:avoid}tr{break-inside:avoid}}
`;

/** `lines` are below the title, `sections` are HTML. */
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

/** Renders charts next to each other, if there is room. */
export function renderCharts(charts: readonly Chart[]): string {
  return `<div class="charts">\n${charts.map(renderChart).join('\n')}\n</div>`;
}

function renderChart({ title, rows, records, inSeveralRows }: Chart): string {
  const largest = Math.max(1, ...rows.map(({ count }) => count));
  const note =
    inSeveralRows > 0
      ? `<p class="quiet">${formatCount(inSeveralRows, 'record')} with several values count in several rows.</p>`
      : '';
  return `<section><h2>${cutText(title)}</h2><table><tbody>
${rows.map((row) => renderRow(row, row.count / largest, records)).join('\n')}
</tbody></table>${note}</section>`;
}

function renderRow({ label, count, isRest }: ChartRow, length: number, records: number): string {
  const share = records > 0 ? formatPercent((count / records) * 100) : '';
  return `<tr${isRest ? ' class="rest"' : ''}><th scope="row">${cutText(label)}</th>${renderBar(length * 100)}<td class="number">${formatNumber(count)}</td><td class="number">${share}</td></tr>`;
}

const renderBar = (percent: number) => `<td class="bar"><i style="width:${percent.toFixed(1)}%"></i></td>`;

export function renderFieldUse(fields: readonly FieldUse[]): string {
  const rows = fields
    .slice(0, MAX_FIELDS)
    .map(
      ({ column, label, filled, empty, percent }) =>
        `<tr><th scope="row">${cutText(label || column)}</th>${renderBar(percent)}<td class="number">${formatPercent(percent)}</td><td class="number">${formatNumber(filled)}</td><td class="number">${formatNumber(empty)}</td></tr>`,
    );
  const left = fields.length - rows.length;
  return `<section><h2>Completeness of fields</h2><table><thead><tr><th>field</th><th colspan="2" class="number">filled</th><th class="number">records</th><th class="number">empty</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>${left > 0 ? `<p class="quiet">and ${formatCount(left, 'more field')}</p>` : ''}</section>`;
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
