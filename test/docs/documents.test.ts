/** The documents agree with the program: topics, links, options, and tables that come from the code. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OptionDescription } from '../../src/cli/description/option.js';
import { EXIT_CODE_MEANINGS } from '../../src/cli/exit-codes.js';
import { PAGES, TOPICS } from '../../src/cli/help/topics.js';
import { NOUNS } from '../../src/cli/nouns.js';
import { FOREIGN_VARIABLES, OPAC_VARIABLES } from '../../src/cli/options/environment.js';
import { GLOBAL_OPTIONS } from '../../src/cli/options/global.js';
import { ERROR_SCHEMA } from '../../src/cli/output/error-json.js';
import { ERROR_CODES } from '../../src/service/error-codes.js';
import { opac } from '../cli/run-in-process.js';
import { DOCUMENTS, listCodeBlocks, PAGE_NAMES, ROOT, readPageText } from './documents.js';

async function readSources(): Promise<string[]> {
  const files = await readdir(join(ROOT, 'src'), { recursive: true });
  const sources = files.filter((file) => file.endsWith('.ts'));
  return Promise.all(sources.map((file) => readFile(join(ROOT, 'src', file), 'utf8')));
}

const ALL = [...DOCUMENTS.values()].join('\n');
const COMMANDS = (await Promise.all(NOUNS.map(({ load }) => load()))).flatMap(({ commands }) => commands);
const DESCRIBED: readonly OptionDescription[] = [
  ...GLOBAL_OPTIONS,
  ...COMMANDS.flatMap(({ options = [] }) => options),
];
const OPTIONS = new Set(
  DESCRIBED.filter(({ hidden }) => !hidden).flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? []),
);

it('the program cites all documents of docs/service, and no others', async () => {
  const cited = new Set((await readSources()).flatMap((text) => text.match(/[A-Z-]{4,}\.md/g) ?? []));
  expect([...cited].sort()).toEqual((await readdir(join(ROOT, 'docs/service'))).sort());
});

it('README.md has at most 180 lines', () => {
  expect(DOCUMENTS.get('README.md')?.trimEnd().split('\n').length).toBeLessThanOrEqual(180);
});

it('README.md shows the output of its first command', async () => {
  const readme = DOCUMENTS.get('README.md') ?? '';
  const [, line = ''] = /^npm ci && node bin\/opac\.js (.*)$/m.exec(readme) ?? [];
  const { stdout, stderr } = await opac(line.split(' '), { environment: { LANG: 'C.UTF-8' } });
  expect(listCodeBlocks(readme, 'text')[0]).toBe(stdout + stderr);
});

/** The documents of the service, which the checks cite. */
const SERVICE_TOPICS = ['interface', 'field-notes'];

describe('the topics', () => {
  it('are the pages of docs/ and sections of them', async () => {
    expect(Object.keys(PAGES).sort()).toEqual([...PAGE_NAMES, ...SERVICE_TOPICS].sort());
    for (const name of PAGE_NAMES) expect(await TOPICS.get(name)?.()).toBe(readPageText(name));
    for (const [name, load] of TOPICS) {
      if (SERVICE_TOPICS.includes(name)) continue;
      const text = await load();
      expect(text, name).toMatch(/^##? .+\n\n\S/);
      expect(ALL).toContain(text.trim());
    }
  });

  it('have other names than the commands, except images', () => {
    expect(NOUNS.filter(({ name }) => TOPICS.has(name)).map(({ name }) => name)).toEqual(['images']);
  });

  it('include all topics to which the program and the documents refer', async () => {
    const text = [ALL, ...(await readSources())].join('\n');
    const named = Array.from(text.matchAll(/\bopac help ([a-z][a-z-]+)/g), ([, name = '']) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !TOPICS.has(name))).toEqual([]);
  });
});

describe.each([...DOCUMENTS])('%s', (path, text) => {
  it('links to files and headings that exist', () => {
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
    for (const [link, target = '', anchor] of prose.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)) {
      const file = target === '' ? path : join(dirname(path), target);
      expect(existsSync(join(ROOT, file)), link).toBe(true);
      if (anchor !== undefined) expect(listAnchors(DOCUMENTS.get(file) ?? ''), link).toContain(anchor);
    }
  });
});

/** Returns the anchors of the headings, in the form of GitHub. */
function listAnchors(text: string): string[] {
  const headings = text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Options of other programs. */
const FOREIGN_OPTIONS =
  /^--(?:help|version|sign|csv|fs|filetype|csv-delimiter|encoding|nl|pk|project|minutes|checksum)$/;

describe('the options', () => {
  const named = new Set(ALL.match(/(?<![\w-])--[a-z][a-z-]*/g));

  it('are all described in a document', () => {
    expect([...OPTIONS].filter((option) => !named.has(option))).toEqual([]);
  });

  it('exist if a document mentions them', () => {
    const isKnown = (option: string) => OPTIONS.has(option) || OPTIONS.has(option.replace(/^--no-/, '--'));
    expect([...named].filter((option) => !isKnown(option) && !FOREIGN_OPTIONS.test(option))).toEqual([]);
  });
});

it('the files that contributing.md mentions exist', () => {
  const named = Array.from(
    readPageText('contributing').matchAll(/`([\w-]+\/[\w/.-]+\.(?:ts|js))`/g),
    ([, file = '']) => file,
  );
  expect(named.length).toBeGreaterThan(25);
  const missing = named.filter(
    (file) => !existsSync(join(ROOT, file)) && !existsSync(join(ROOT, 'src', file)),
  );
  expect(missing).toEqual([]);
});

it('every noun of a command occurs in a document', () => {
  expect(NOUNS.filter(({ name }) => !new RegExp(`\`${name}\`|\\bopac ${name}\\b`).test(ALL))).toEqual([]);
});

it('commands in the text exist, and have their required arguments', async () => {
  const inline = Array.from(ALL.matchAll(/`opac ([a-z][^`]*)`/g), ([, line = '']) => line.split(' '));
  expect(inline.length).toBeGreaterThan(20);
  for (const [name = '', ...more] of inline.filter(([name]) => name !== 'help')) {
    const noun = NOUNS.find((each) => each.name === name);
    const { commands = [] } = (await noun?.load()) ?? {};
    const hasVerbs = commands.some((each) => each.name !== name);
    const command = commands.find((each) => each.name === (hasVerbs ? more[0] : name));
    const end = more.findIndex((word) => word.startsWith('-'));
    const given = more.slice(hasVerbs ? 1 : 0, end < 0 ? undefined : end);
    const required = (command?.arguments ?? []).filter((each) => each.required).length;
    expect(hasVerbs && more.length === 0 ? noun : command, `opac ${name} ${more.join(' ')}`).toBeDefined();
    if (given.length > 0)
      expect(given.length, `opac ${name} ${more.join(' ')}`).toBeGreaterThanOrEqual(required);
  }
});

type Table = readonly (readonly string[])[];

const createRows = (rows: readonly (readonly [string, string])[]): Table =>
  rows.map(([name, meaning]) => [`\`${name.replaceAll(', ', '`, `')}\``, meaning]);

/** The tables that come from the code, by their headers. */
const TABLES: Readonly<Record<string, Readonly<Record<string, Table>>>> = {
  errors: {
    '| exit | when |': EXIT_CODE_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
    '| key | contents |': createRows(
      Object.entries(ERROR_SCHEMA.properties).map(([key, { description }]) => [key, description]),
    ),
    '| code | retry | meaning |': Object.entries(ERROR_CODES).map(([code, { retry, meaning }]) => [
      `\`${code}\``,
      retry ? 'yes' : 'no',
      meaning,
    ]),
  },
  environment: {
    '| variable | effect |': createRows(OPAC_VARIABLES),
    '| standard variable | effect |': createRows(FOREIGN_VARIABLES),
  },
};

it.each(Object.entries(TABLES))(
  'docs/%s.md contains the tables of the program; `vitest -u` writes them',
  async (page, tables) => {
    let text = readPageText(page);
    for (const [header, rows] of Object.entries(tables)) {
      expect(text).toContain(`\n${header}\n`);
      const [start = '', rest = ''] = text.split(`\n${header}\n`);
      const rule = header.replaceAll(/[^|]+/g, ' --- ');
      const lines = rows.map(
        (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
      );
      text = `${start}\n${[header, rule, ...lines].join('\n')}\n${rest.replace(/^(?:\|.*\n)*/, '')}`;
    }
    await expect(text).toMatchFileSnapshot(join(ROOT, `docs/${page}.md`));
  },
);

it('each command for contributors is a script of package.json', async () => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const lines = listCodeBlocks(readPageText('contributing'), 'sh').flatMap((block) =>
    block.trim().split('\n'),
  );
  const names = lines.map((line) => /^npm (?:run )?(\S+)/.exec(line)?.[1] ?? line);
  expect(names.length).toBeGreaterThan(10);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
});
