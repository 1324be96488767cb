/** The examples of the help and the command lines of the documents, and the files and environment that they need. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { NOUNS } from '../../src/cli/nouns.js';
import type { Museum } from '../../src/mock/index.js';
import { DOCUMENTS, listShellBlocks, SHELL_SYNTAX } from '../docs/documents.js';
import { splitCommandLine } from '../e2e/opac.js';

/** Examples that this test does not run, with the reasons. */
const NOT_RUN: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^opac mock\b/, 'serves until it is stopped; its own tests start and stop it'],
  [
    /^opac login (?!.*(--mock|--basic-key|--method headless))/,
    'needs a browser, and a person in front of it',
  ],
  [/^opac open\b(?!.*--(print|mock))/, 'opens a browser'],
  [/^(?!opac )/, 'is a command of another program'],
  [SHELL_SYNTAX, 'is run by a shell in test/e2e/document-scripts.test.ts'],
];

const HELP_LINES = (await Promise.all(NOUNS.map(({ load }) => load())))
  .flatMap(({ commands }) => commands)
  .flatMap(({ examples }) => Object.values(examples));

/** The lines of the documents that begin with `opac`. */
const DOCUMENT_LINES = [...DOCUMENTS.values()]
  .flatMap(listShellBlocks)
  .flatMap((block) => block.split('\n'))
  .map((line) => line.replace(/\s+#.*$/, '').trim())
  .filter((line) => line.startsWith('opac '));

/** All examples, without duplicates. */
export const EXAMPLES: readonly string[] = [...new Set([...HELP_LINES, ...DOCUMENT_LINES])];

/** The examples that a test can run. */
export const RUNNABLE_EXAMPLES = EXAMPLES.filter(
  (line) => !NOT_RUN.some(([excluded]) => excluded.test(line)),
);

const FIELDS = `"opacObjectFieldSets":${JSON.stringify(
  ['accession_no', 'maker_name'].map((identifier) => ({
    identifier,
    opacObjectFields: [{ value: '00345' }],
  })),
)}`;

const FILES: Readonly<Record<string, string>> = {
  'query.txt': 'classification:"Ceramics/Vessels" AND collections:"3"\n',
  'columns.txt': 'id\ntitle\n',
  'numbers.txt': '1869.1.21\n00345\n',
  'numbers.csv': 'Title;Accession No.\nFern;00345\n',
  'ids.txt': '20011\n20022\n',
  'edited.csv': 'id;title\n20022;My title\n',
  'objects-old.ndjson': '{"opacObjectId":"20022"}\n',
  'objects-2026-10.ndjson': '{"opacObjectId":"20022"}\n',
  'objects-2026-11.ndjson': '{"opacObjectId":"20022","slug":"fern"}\n',
  'objects.ndjson': `{"opacObjectId":"20022","slug":"fern",${FIELDS}}\n{"opacObjectId":"20033"}\n`,
  'persons-old.ndjson': '{"opacPersonId":"3001"}\n',
  'venues-old.ndjson': '{"opacVenueId":"5001"}\n',
  'records-old.ndjson': '{"opacObjectId":"20022","recordType":"object"}\n',
  'key.txt': 'bXVzZXVtLWJhc2ljLWtleQ\n',
  'export.py': 'get("https://collection.example.org/api/v2/opacobjects")\n',
};

/** Creates a folder with the files that examples read. */
export async function writeExampleFiles(folder: string): Promise<void> {
  await mkdir(folder);
  await Promise.all(Object.entries(FILES).map(([file, text]) => writeFile(join(folder, file), text)));
}

/** Returns the words after `opac`, and the standard input. Replaces the URL of the deployment with that of the museum. */
export function readExample(
  line: string,
  museum: Museum,
): { readonly argv: string[]; readonly stdin: string } {
  // The test does not run the programs after a pipe.
  const [command = '', input] = (line.split(' | ')[0] ?? '').split(' < ');
  const [, ...argv] = splitCommandLine(command.replaceAll('https://collection.example.org', museum.url));
  return { argv, stdin: input === undefined ? '' : (FILES[input] ?? '') };
}

/** Returns an environment with the profiles below `folder`, and with the credentials of the museum. */
export function createEnvironment(folder: string, { client }: Museum): Readonly<Record<string, string>> {
  return {
    OPAC_CONFIG_DIR: join(folder, 'config'),
    OPAC_CLIENT_ID: client.clientId,
    OPAC_CLIENT_SECRET: client.clientSecret,
    OPAC_REDIRECT_URI: client.redirectURI,
  };
}

/** Returns the words of a login to the museum. It runs before the examples, because some of them need its profile. */
export function createLoginCommand(museum: Museum): string[] {
  return splitCommandLine(`login -p museum --base-url ${museum.url} --method headless --insecure-storage`);
}

/** Commands that change something and report it only on standard error. */
const REPORTS_ON_STDERR = /^opac (?:login|logout|profiles (?:use|remove|set)|sync)\b/;

/** Throws unless the command produced a file, data or a message, in the requested format. `newFiles`: their names. */
export function expectOutput(
  line: string,
  stdout: string,
  stderr: string,
  newFiles: readonly string[],
): void {
  const [, file] = / (?:-o|--output|-d|--directory) (\S+)/.exec(line) ?? [];
  if (
    (file !== undefined && file !== '-') ||
    (line.startsWith('opac images download') && !line.includes('--dry-run'))
  ) {
    expect(newFiles, 'no file was made').not.toEqual([]);
    return;
  }
  expect(stdout + (REPORTS_ON_STDERR.test(line) ? stderr : ''), 'nothing was printed').not.toBe('');
  if (/ -f json\b/.test(line)) expect(() => JSON.parse(stdout)).not.toThrow();
  if (/ -f ndjson\b/.test(line)) for (const each of stdout.trimEnd().split('\n')) JSON.parse(each);
  const [, limit] = /^opac (?:objects|persons|venues|records) list\b.* --limit (\d+)/.exec(line) ?? [];
  if (limit !== undefined && / -f (?:ids|ndjson)\b/.test(line))
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(Number(limit));
}
