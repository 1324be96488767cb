/** Formats a comparison as one HTML page without scripts, links or other files. */
import { formatCount } from '../../service/format-numbers.js';
import { escapeHtml, HTML_END, htmlStart } from '../../system/html.js';
import { CHANGE_KINDS, type FieldChange } from '../changes.js';
import type { Difference, Tally } from '../tally.js';
import { cutLongText, type DiffSegment, WordDiff } from './diff-words.js';
import { countFieldChanges, formatChange, formatKindCounts, type ReportFacts } from './report.js';

const STYLE = `
:root{--old-ground:#fde7e4;--new-ground:#ddf4e4}
@media(prefers-color-scheme:dark){:root{--old-ground:#44211d;--new-ground:#173a24}}
header p{margin:.1rem 0}
td.id{overflow-wrap:anywhere}
article{content-visibility:auto;contain-intrinsic-size:auto 8rem}
article.added{border-color:var(--good)}
article.removed{border-color:var(--bad)}
ins{color:var(--good);background:var(--new-ground);text-decoration:none;border-radius:.15rem;padding:0 .1em}
del{color:var(--bad);background:var(--old-ground);border-radius:.15rem;padding:0 .1em}
`;

export function createHtmlReport(facts: ReportFacts): string {
  const { title, tally, differences, notCompared } = facts;
  const words = new WordDiff();
  const omitted = tally.countDifferences - differences.length;
  const lines = [...formatKindCounts(tally), ...(notCompared === undefined ? [] : [notCompared])];
  return `${htmlStart({ title, style: STYLE })}<main class="report">
<header>
<h1>${escapeHtml(title)}</h1>
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}
</header>
${createFieldTable(tally)}
${(['added', 'removed', 'changed'] as const).map((change) => createSection(change, differences, words)).join('')}
${omitted > 0 ? `<p class="quiet">${formatCount(omitted, 'more record differs', 'more records differ')}; -f csv lists all of them.</p>` : ''}
</main>
${HTML_END}`;
}

function createFieldTable(tally: Tally): string {
  const rows = countFieldChanges(tally).map(
    ([field, ...counts]) =>
      `<tr><td class="id">${escapeHtml(field)}</td>${counts.map((count) => `<td class="number">${count || ''}</td>`).join('')}</tr>`,
  );
  if (rows.length === 0) return '';
  const headerCells = CHANGE_KINDS.map((name) => `<th class="number">${name}</th>`).join('');
  return `<section><h2>Fields</h2><table><thead><tr><th>field</th>${headerCells}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table></section>`;
}

function createSection(
  change: Difference['change'],
  differences: readonly Difference[],
  words: WordDiff,
): string {
  const some = differences.filter((each) => each.change === change);
  if (some.length === 0) return '';
  return `<section><h2>${change.replace(/^./, (letter) => letter.toUpperCase())}</h2>\n${some.map((each) => createArticle(each, words)).join('\n')}\n</section>\n`;
}

function createArticle(difference: Difference, words: WordDiff): string {
  const { title, change, changes, context } = difference;
  const rows = [
    ...Object.entries(context).map(
      ([name, values]) =>
        `<dt class="id">${escapeHtml(name)}</dt><dd>${escapeHtml(cutLongText(values.join('; ')))}</dd>`,
    ),
    ...changes.map((each) => createRow(each, words)),
  ];
  const list = rows.length > 0 ? `<dl>${rows.join('')}</dl>` : '';
  return `<article class="${change}"><h3>${escapeHtml(cutLongText(title) || '(no title)')}</h3><p class="quiet">${escapeHtml(formatChange(difference))}</p>${list}</article>`;
}

function createRow(change: FieldChange, words: WordDiff): string {
  const lines = words.compare(change).map((line) => `<p>${line.map(formatSegment).join('')}</p>`);
  return `<dt class="id">${escapeHtml(change.field)} <small>${change.change}</small></dt><dd>${lines.join('')}</dd>`;
}

function formatSegment({ text, type }: DiffSegment): string {
  if (type === 'old') return `<del>${escapeHtml(text)}</del>`;
  return type === 'new' ? `<ins>${escapeHtml(text)}</ins>` : escapeHtml(text);
}
