/** Compares output on terminals with the files in approved/. Read each change before you accept it with `vitest -u`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import { opac } from './run-in-process.js';

/** Two terminals at each width, with and without colours and Unicode. */
const TERMINALS: readonly (readonly [name: string, columns: number, environment: Record<string, string>])[] =
  [
    ['80-truecolor', 80, { TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'en_NZ.UTF-8' }],
    ['80-ascii', 80, { TERM: 'vt100', NO_COLOR: '1', LANG: 'C' }],
    ['120-256', 120, { TERM: 'xterm-256color', FORCE_COLOR: '2', LANG: 'en_NZ.UTF-8' }],
    ['120-plain', 120, { TERM: 'xterm', NO_COLOR: '1', LANG: 'en_NZ.UTF-8' }],
  ];

interface Screen {
  readonly name: string;
  readonly line: string;
  /** Number of lines to compare. Default: all. */
  readonly lines?: number;
}

const SCREENS: readonly Screen[] = [
  { name: 'help', line: '--help' },
  { name: 'help-objects', line: 'objects --help' },
  { name: 'help-facets-get', line: 'facets get --help' },
  { name: 'objects-get', line: 'objects get 20022' },
  { name: 'objects-list', line: 'objects list --limit 8' },
  { name: 'objects-fields', line: 'objects fields' },
  { name: 'facets-list', line: 'facets list objects --top 3' },
  { name: 'colors-list', line: 'colors list', lines: 20 },
];

let museum: Museum;
beforeAll(async () => {
  museum = await startMuseum();
});
afterAll(() => museum.close());

describe.each(TERMINALS)('opac on the terminal %s', (terminal, columns, environment) => {
  it.each(SCREENS)(
    'prints the approved screen $name',
    async ({ name, line, lines = Number.POSITIVE_INFINITY }) => {
      const { code, stdout, stderr } = await opac(line.split(' '), {
        columns,
        environment: { ...environment, OPAC_BASE_URL: museum.url },
      });
      expect(code).toBe(0);
      const screen = [...stdout.split('\n').slice(0, lines), ...stderr.split('\n')]
        .join('\n')
        .replaceAll('\u001b', '␛')
        // The port differs between runs, and so does its number of digits.
        .replaceAll(/127\.0\.0\.1:\d{1,5}/g, 'museum.example')
        .trimEnd();
      await expect(`${screen}\n`).toMatchFileSnapshot(`approved/${name}-${terminal}.txt`);
    },
  );
});
