/** Formats a page of `docs/` for a terminal. */
import { getStyles } from '../output/terminal/styles.js';
import type { Terminal } from '../output/terminal/terminal.js';
import { displayWidth, pad, wrap } from '../output/terminal/text.js';

const MIN_CELL_WIDTH = 20;

export function renderPage(markdown: string, width: number, terminal: Terminal): string {
  return markdown
    .trimEnd()
    .split(/^```.*\n([\s\S]*?)^```$/m)
    .map((part, index) => (index % 2 === 1 ? indent(part) : renderText(part, width, terminal)))
    .join('');
}

/** Does not wrap code, so that users can copy it. */
function indent(code: string): string {
  return code.replace(/\n$/, '').replaceAll(/^(?=.)/gm, '  ');
}

function renderText(text: string, width: number, terminal: Terminal): string {
  return text
    .split(/(\n{2,})/)
    .map((block) => {
      if (block.trim() === '') return block;
      if (block.startsWith('|')) return renderTable(block, width);
      const heading = /^#+ (.*)$/.exec(block)?.[1];
      return heading === undefined
        ? renderItems(block, width)
        : getStyles(terminal).bold(stripMarkdown(heading));
    })
    .join('');
}

function renderItems(block: string, width: number): string {
  return block
    .split(/\n(?=- |\d+\. )/)
    .map((item) => {
      const [bullet = ''] = /^(?:- |\d+\. )?/.exec(item) ?? [];
      const text = stripMarkdown(item.slice(bullet.length).replaceAll(/\n */g, ' '));
      return bullet + wrap(text, width - bullet.length).join(`\n${' '.repeat(bullet.length)}`);
    })
    .join('\n');
}

function renderTable(block: string, width: number): string {
  const rows = block
    .split('\n')
    .filter((line) => !/^\|(?: ---+ \|)+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => stripMarkdown(cell.trim().replaceAll('\\|', '|'))),
    );
  const widths = (rows[0] ?? [])
    .slice(0, -1)
    .map((_, at) => Math.max(...rows.map((row) => displayWidth(row[at] ?? ''))));
  const start = widths.reduce((sum, each) => sum + each + 2, 2);
  return rows
    .map((row) => {
      const cells = widths.map((each, at) => `${pad(row[at] ?? '', each)}  `).join('');
      const last = wrap(row.at(-1) ?? '', Math.max(width - start, MIN_CELL_WIDTH));
      return `  ${cells}${last.join(`\n${' '.repeat(start)}`)}`.trimEnd();
    })
    .join('\n');
}

function stripMarkdown(markdown: string): string {
  return markdown
    .replaceAll(/\[([^[\]]*)\]\(([^[()]*)\)/g, (_, label: string, target: string) => {
      const page = /^([\w-]+)\.md/.exec(target)?.[1];
      return page === undefined ? label : `${label} (opac help ${page})`;
    })
    .replaceAll(/`(opac [^`]*)`/g, '"$1"')
    .replaceAll(/`|\*\*/g, '');
}
