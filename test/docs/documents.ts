/** README.md and the pages of docs/, by their paths in the project. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const PAGE_NAMES: readonly string[] = readdirSync(`${ROOT}docs`)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length));

const PATHS = ['README.md', ...PAGE_NAMES.map((name) => `docs/${name}.md`)];

export const DOCUMENTS: ReadonlyMap<string, string> = new Map(
  PATHS.map((path) => [path, readFileSync(ROOT + path, 'utf8')]),
);

/** Returns the text of a page of docs/. Throws an error if the page does not exist. */
export function readPageText(name: string): string {
  const text = DOCUMENTS.get(`docs/${name}.md`);
  if (text === undefined) throw new Error(`there is no docs/${name}.md`);
  return text;
}

/** Returns the code blocks in a language. */
export function listCodeBlocks(text: string, language: string): string[] {
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));
  return Array.from(blocks, ([, block = '']) => block);
}

export function listShellBlocks(text: string): string[] {
  return listCodeBlocks(text, 'sh');
}

/** Matches a command line that only a shell can run. */
export const SHELL_SYNTAX = /&&|\|\||\$\(|"\$file"|> /;
