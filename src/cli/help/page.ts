/** A page of help as data, and how it is laid out. Loads no command, so that `opac --help` starts quickly. */
import type { Example } from '../command/option.js';
import { painter } from '../output/terminal/paint.js';
import type { Terminal } from '../output/terminal/terminal.js';
import { wrap } from '../output/terminal/text.js';

export interface HelpPage {
  readonly usage: string;
  readonly description: string;
  readonly lists: readonly HelpList[];
}

export interface HelpList {
  readonly heading: string;
  readonly items: readonly (readonly [term: string, summary: string])[];
}

export interface HelpEnd {
  readonly examples: readonly Example[];
  readonly more: string;
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const WIDEST = 120;
/** With less room than this beside the terms, summaries are left unwrapped. */
const NARROWEST_SUMMARY = 20;
const INDENT = '  ';

export function helpWidth({ width }: Terminal): number {
  return Math.min(width, WIDEST);
}

export function renderPage({ usage, description, lists }: HelpPage, terminal: Terminal): string {
  const { bold } = painter(terminal);
  const terms = lists.flatMap(({ items }) => items.map(([term]) => term.length));
  const termWidth = Math.max(0, ...terms) + INDENT.length;
  const room = helpWidth(terminal) - INDENT.length - termWidth;
  const item = (term: string, summary: string) => {
    const lines = room < NARROWEST_SUMMARY ? [summary] : wrap(summary, room);
    return lines.map((line, row) => `${INDENT}${(row === 0 ? term : '').padEnd(termWidth)}${line}`);
  };
  return [
    `${bold('Usage:')} ${usage}`,
    '',
    ...wrap(description, helpWidth(terminal)),
    '',
    ...lists.flatMap(({ heading, items }) => [
      bold(heading),
      ...items.flatMap(([term, summary]) => item(term, summary)),
      '',
    ]),
    '',
  ].join('\n');
}

export function renderEnd({ examples, more }: HelpEnd, terminal: Terminal): string {
  return [
    ...renderExamples(examples, terminal),
    '',
    ...renderSection('More:', wrapInside(more, terminal), terminal),
  ].join('\n');
}

export function renderExamples(examples: readonly Example[], terminal: Terminal): string[] {
  const { dim } = painter(terminal);
  const lines = examples.flatMap(({ purpose, command }) => [dim(`# ${purpose}`), `$ ${command}`]);
  return renderSection('Examples:', lines, terminal);
}

export function renderSection(title: string, lines: readonly string[], terminal: Terminal): string[] {
  return [painter(terminal).bold(title), ...lines.map((line) => INDENT + line)];
}

export function wrapInside(text: string, terminal: Terminal): string[] {
  return wrap(text, helpWidth(terminal) - INDENT.length);
}
