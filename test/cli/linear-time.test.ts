/** Functions that read text of a service need time in proportion to its length, for any text. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sanitizeText } from '../../src/check/probe/recorder.js';
import { formatError } from '../../src/cli/output/error-lines.js';
import {
  escapeJsonForTerminal,
  replaceUnsafeForTerminal,
  sanitizeLine,
  sanitizeLines,
  sanitizePreformatted,
} from '../../src/cli/output/terminal/sanitize.js';
import { displayWidth, truncate, wrap } from '../../src/cli/output/terminal/text.js';
import { readServiceMessage } from '../../src/client/errors/response-errors.js';
import { parseRetryAfter } from '../../src/client/errors/retry-after.js';
import { foldName, toSafeName } from '../../src/images/names/file-names.js';
import { cellValues, DEFAULT_MULTI } from '../../src/records/cells/multi-value-rule.js';
import { plainText } from '../../src/records/cells/plain-text.js';
import { toSqlNames } from '../../src/records/cells/sql-names.js';
import { OpacError } from '../../src/service/errors.js';
import { parseJsonLossless } from '../../src/service/parse-json.js';
import { redactText, registerSecret } from '../../src/service/redact.js';
import { normalizeText } from '../../src/service/search/exact-match.js';
import { withoutAccents } from '../../src/service/search/spelling.js';
import { isSlowExpression } from '../lint/slow-expression.js';
import { opac } from './run-in-process.js';

registerSecret('aaaaaaaaaaaaaaaaaaaa');
registerSecret('secret-of-linear-time');

const LENGTH = 60_000;
/** Linear functions take a few milliseconds, quadratic ones half a minute. The timeout suits a busy machine. */
const TIMEOUT = 15_000;

/** Each piece is repeated until the text has the required length. */
const PIECES: readonly string[] = [
  '漢',
  'a',
  ' ',
  'a ',
  '\u009d',
  '\u001b]',
  '\u001b[0',
  '\u009b',
  '\u001b',
  '\u0300\u0323',
  '\u200d',
  '👩‍👩‍👧',
  '🇳🇿',
  '\ud800',
  '\r\n',
  '"',
  '\\"',
  '[',
  '{"a":',
  '9',
  'authorization',
  'authorization: ',
  'Basic ',
  'code=',
  '"code":"',
  'a://',
  '<em>',
  '<',
  '&',
  '<b ',
  '<b "',
  '<b a="',
  '<b a="<b a=\'',
  '<!--',
  '<script>',
  '<p> ',
  '&amp',
];

const response = (text: string) => ({
  status: 500,
  headers: {},
  bytes: Buffer.from(JSON.stringify({ message: text })),
  elapsed: 0,
});

const repeatPiece = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length));

/** Functions that measure characters. Their steps are the UTF-16 units for the segmenter, which needs quadratic time. */
describe.each<[string, (text: string) => unknown]>([
  ['displayWidth', displayWidth],
  ['wrap', (text) => wrap(text, 80)],
  ['wrap to two columns', (text) => wrap(text, 2)],
  ['truncate', (text) => truncate(text, 79, { unicode: true })],
])('%s', (_, run) => {
  it.each(['漢', '漢 ', '👩‍👩‍👧', '🇳🇿', 'é\u0300', '\ufffd'])(
    'segments a long text of %j in short pieces, with a linear sum of lengths',
    (piece) => {
      const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
      onTestFinished(() => segment.mockRestore());
      const text = sanitizeLine(repeatPiece(piece));
      run(text);
      const steps = segment.mock.calls.map(([part = '']) => part.length);
      expect(Math.max(...steps)).toBeLessThanOrEqual(1024);
      expect(steps.reduce((sum, each) => sum + each, 0)).toBeLessThan(8 * text.length);
    },
  );
});

/** Functions that read text of a service. */
const READERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['sanitizeLine', sanitizeLine],
  ['plainText', plainText],
  ['sanitizeLines', sanitizeLines],
  ['sanitizePreformatted', sanitizePreformatted],
  ['replaceUnsafeForTerminal', replaceUnsafeForTerminal],
  ['escapeJsonForTerminal', escapeJsonForTerminal],
  ['redactText', redactText],
  ['formatError', (text) => formatError(new OpacError('deployment', text, { hint: text }), { debug: true })],
  ['sanitizeText', sanitizeText],
  ['readServiceMessage', (text) => readServiceMessage(response(text))],
  ['cellValues', (text) => cellValues(DEFAULT_MULTI, text)],
  ['toSafeName', toSafeName],
  ['foldName', foldName],
  ['withoutAccents', withoutAccents],
  ['normalizeText', normalizeText],
  ['toSqlNames', (text) => toSqlNames([text])],
  ['parseRetryAfter', (text) => parseRetryAfter({ 'retry-after': text }, 0)],
  [
    'parseJsonLossless',
    (text) => {
      try {
        return parseJsonLossless(Buffer.from(text));
      } catch (error) {
        return error;
      }
    },
  ],
];

/** String functions that read a complete text. Their steps are the length of the returned string, or of the text. */
const FULL_TEXT_FUNCTIONS = [
  'replaceAll',
  'split',
  'normalize',
  'trim',
  'trimEnd',
  'toLowerCase',
  'slice',
  'padEnd',
  'repeat',
] as const;

/** Counts the characters that a task reads with string functions and regular expressions. Returns the expressions too. */
function countSteps(task: () => unknown): {
  readonly steps: number;
  readonly expressions: ReadonlySet<RegExp>;
} {
  const expressions = new Set<RegExp>();
  let steps = 0;
  const { exec } = RegExp.prototype;
  const spies = FULL_TEXT_FUNCTIONS.map((name) => {
    const real = String.prototype[name] as (...words: unknown[]) => unknown;
    return vi.spyOn(String.prototype, name).mockImplementation(function (this: string, ...words: unknown[]) {
      const made = real.apply(this, words);
      steps += typeof made === 'string' ? made.length : this.length;
      return made as never;
    });
  });
  // All functions that use an expression call `exec` if it is not the built-in function (ECMA-262, RegExpExec).
  RegExp.prototype.exec = function (text) {
    expressions.add(this);
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    steps += match ? match.index + match[0].length - from + 1 : this.sticky ? 1 : text.length - from;
    return match;
  };
  try {
    task();
  } finally {
    RegExp.prototype.exec = exec;
    for (const spy of spies) spy.mockRestore();
  }
  return { steps, expressions };
}

describe.each([
  ...READERS,
  ['wrap', (text: string) => wrap(text, 80)] as const,
  ['truncate', (text: string) => truncate(text, 79, { unicode: true })] as const,
])('%s', (_, run) => {
  it('needs steps in proportion to the length of its text, with fast expressions', () => {
    const size = 1_200;
    const expressions = new Map<string, RegExp>();
    const slow = PIECES.flatMap((piece) => {
      const [one, two] = [1, 2].map((times) => {
        const counted = countSteps(() => run(piece.repeat(Math.ceil((times * size) / piece.length))));
        for (const each of counted.expressions) expressions.set(String(each), each);
        return counted.steps;
      }) as [number, number];
      return two < 2.5 * one + size ? [] : [{ piece, one, two }];
    });
    expect(slow).toEqual([]);
    expect([...expressions.values()].filter(({ source, flags }) => isSlowExpression(source, flags))).toEqual(
      [],
    );
  });
});

describe.each(READERS)('%s', (_, run) => {
  it('ends in time for a long text of each piece', { timeout: TIMEOUT }, () => {
    for (const piece of PIECES) run(repeatPiece(piece));
    expect(PIECES.length).toBeGreaterThan(20);
  });
});

it('lists a record with 60,000 fields in time', { timeout: TIMEOUT }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opac-fields-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const fields = Array.from({ length: LENGTH }, (_, n) => ({
    identifier: `f${n}`,
    opacObjectFields: [{ value: '' }, { value: 'x' }],
  }));
  const file = join(folder, 'wide.ndjson');
  await writeFile(file, JSON.stringify({ opacObjectId: '1', opacObjectFieldSets: fields }));
  const { code, stdout } = await opac(['objects', 'list', '--from', file, '-f', 'csv']);
  expect(code).toBe(0);
  expect(stdout).toContain(`,f${LENGTH - 1}\n`);
});

it('refuses a table with more than 20,000 columns', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opac-fields-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const records = ['a', 'b'].map((id) => ({
    opacObjectId: id,
    opacObjectFieldSets: Array.from({ length: 11_000 }, (_, n) => ({
      identifier: `${id}${n}`,
      opacObjectFields: [{ value: 'x' }],
    })),
  }));
  const file = join(folder, 'wide.ndjson');
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  expect(await opac(['objects', 'list', '--from', file, '-f', 'csv'])).toEqual({
    code: 5,
    stdout: '',
    stderr:
      'opac: the table would have more than 20,000 columns; choose columns with --columns, or use -f ndjson\n',
  });
});

it('prints only a part of a very long value in cards and tables', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opac-fields-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'long.ndjson');
  const value = 'ab '.repeat(7_000_000);
  const write = (text: string) =>
    writeFile(
      file,
      JSON.stringify({
        opacObjectId: '1',
        opacObjectFieldSets: [{ identifier: 'name', opacObjectFields: [{ value: text }] }],
      }),
    );
  await write(value);
  await writeFile(join(folder, 'none.ndjson'), '');
  for (const line of [
    ['get', '1', '-f', 'card'],
    ['list', '-f', 'card'],
    ['list', '-f', 'table'],
  ]) {
    const { code, stdout } = await opac(['objects', ...line, '--from', file]);
    expect([line, code]).toEqual([line, 0]);
    expect(stdout.length).toBeLessThan(1_000_000);
  }
  const { code, stdout } = await opac(['objects', 'get', '1', '-f', 'card', '--from', file]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('20,800,000 more characters')]);
  const before = join(folder, 'before.ndjson');
  await writeFile(before, (await readFile(file, 'utf8')).replace('ab ', 'cd '));
  expect((await opac(['diff', before, file, '-f', 'table'])).code).toBe(0);
});

it('counts a quadratic number of steps for quadratic functions', () => {
  const eachRest = (text: string) => Array.from(text, (_, at) => text.slice(at));
  const search = (text: string) => Array.from(text, (_, at) => /z/.test(text.slice(at, at + 1) + text));
  for (const run of [eachRest, search]) {
    const [one, two] = [100, 200].map((length) => countSteps(() => run('a'.repeat(length))).steps) as [
      number,
      number,
    ];
    expect(two / one).toBeGreaterThan(3.5);
  }
});

it('throws a SyntaxError for deeply nested JSON instead of a stack overflow', () => {
  for (const open of ['[', '{"a":']) {
    expect(() => parseJsonLossless(Buffer.from(open.repeat(100_000)))).toThrow(SyntaxError);
    expect(() => parseJsonLossless(Buffer.from(`${open.repeat(600)}1`))).toThrow(
      'nested deeper than 512 levels',
    );
  }
  expect(parseJsonLossless(Buffer.from(`${'['.repeat(500)}"]]["${']'.repeat(500)}`))).toHaveLength(1);
});
