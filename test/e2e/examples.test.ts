/** Every example of the help and every command line of the README runs as it is written, in the built program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOUNS } from '../../src/cli/nouns.js';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { words } from './opac.js';

/** Examples that need what no test can have, each with the reason. */
const NOT_RUN: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^opac mock\b/, 'serves until it is stopped; its own tests start and stop it'],
  [
    /^opac login (?!.*(--mock|--basic-key|--method headless))/,
    'needs a browser, and a person in front of it',
  ],
  [/^opac open\b(?!.*--(print|mock))/, 'opens a browser'],
  [/^(?!opac )/, 'is a command of another program'],
];

const HELP_LINES = (await Promise.all(NOUNS.map(({ load }) => load())))
  .flatMap(({ commands }) => commands)
  .flatMap(({ examples }) => examples.map(({ command }) => command));

const README = new URL('../../README.md', import.meta.url);
const README_LINES = existsSync(README) ? commandLines(readFileSync(README, 'utf8')) : [];

/** The command lines in the code blocks of a Markdown text: those that begin with `opac`, a prompt aside. */
function commandLines(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```(?:sh|bash|console|shell)?\n([\s\S]*?)^```/gm)];
  return blocks
    .flatMap(([, block = '']) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'))
    .map((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/\s+#.*$/, '')
        .trim(),
    )
    .filter((line) => line.startsWith('opac '));
}

const lines = [...new Set([...HELP_LINES, ...README_LINES])];
const runnable = lines.filter((line) => !NOT_RUN.some(([excluded]) => excluded.test(line)));

const FILES: Readonly<Record<string, string>> = {
  'query.txt': 'classification:"Ceramics/Vessels" AND collections:"3"\n',
  'columns.txt': 'id\ntitle\n',
  'ids.txt': '20011\n20022\n',
  'key.txt': 'bXVzZXVtLWJhc2ljLWtleQ\n',
  'export.py': 'get("https://collection.example.org/api/v2/opacobjects")\n',
};

const BIN = fileURLToPath(new URL('../../bin/opac.js', import.meta.url));
/** So many run at once: each is a whole process. */
const AT_ONCE = 4;

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** What the lines ended with. They are started together, a few at a time, each in a folder of its own. */
const endings = new Map<string, Promise<Ended>>();
let folder: string;
let museum: Museum;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opac-examples-'));
  museum = await startMuseum();
  const login = `login -p museum --base-url ${museum.url} --method headless --insecure-storage`;
  const home = await furnished('0');
  expect(await run(login.split(' '), home, '')).toMatchObject({ code: 0 });
  const lanes: Promise<unknown>[] = Array.from({ length: AT_ONCE }, async () => {});
  for (const [index, line] of runnable.entries()) {
    const lane = index % AT_ONCE;
    const ending = (lanes[lane] ?? Promise.resolve()).then(() => runLine(line, String(index + 1), home));
    lanes[lane] = ending.catch(() => {});
    endings.set(line, ending);
  }
});

afterAll(async () => {
  await museum.close();
  await rm(folder, { recursive: true, force: true });
});

/** A new folder with the files that examples read. */
async function furnished(name: string): Promise<string> {
  const home = join(folder, name);
  await mkdir(home);
  await Promise.all(Object.entries(FILES).map(([file, text]) => writeFile(join(home, file), text)));
  return home;
}

async function runLine(line: string, name: string, loggedIn: string): Promise<Ended> {
  const home = await furnished(name);
  await cp(join(loggedIn, 'config'), join(home, 'config'), { recursive: true });
  // What was exported before can be verified.
  if (line.startsWith('opac verify')) await run(['objects', 'export', '-o', 'objects.csv', '-q'], home, '');
  // Other programs behind a pipe are none of ours.
  const [command = '', input] = (line.split(' | ')[0] ?? '').split(' < ');
  const [, ...all] = words(command.replaceAll('https://collection.example.org', museum.url));
  return run(all, home, input === undefined ? '' : (FILES[input] ?? ''));
}

/** Runs the program with the museum as its only surroundings. */
async function run(all: readonly string[], home: string, stdin: string): Promise<Ended> {
  const { clientId, clientSecret, redirectURI } = museum.client;
  const child = spawn(process.execPath, [BIN, ...all], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      OPAC_CONFIG_DIR: join(home, 'config'),
      OPAC_CLIENT_ID: clientId,
      OPAC_CLIENT_SECRET: clientSecret,
      OPAC_REDIRECT_URI: redirectURI,
      // No secret service to be found: nothing is written to the keyring of whoever runs this.
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere',
    },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.on('error', () => {}).end(stdin);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

describe('the examples of the help and of the README', () => {
  it('are nearly all run', () => {
    expect(lines.length - runnable.length).toBeLessThan(lines.length / 8);
  });

  it.each(runnable)('%s', async (line) => {
    const ended = await endings.get(line);
    expect(ended?.stderr).not.toMatch(/^opac:/m);
    expect(ended?.code).toBe(0);
  });
});
