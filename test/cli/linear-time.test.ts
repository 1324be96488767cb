/** Text of a service takes time in proportion to its length, whatever it is. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { printable } from '../../src/check/probe/printable.js';
import { errorLines } from '../../src/cli/output/error-lines.js';
import {
  jsonForTerminal,
  laidOutLines,
  manyLines,
  oneLine,
  textForTerminal,
} from '../../src/cli/output/terminal/sanitise.js';
import { displayWidth, truncate, wrap } from '../../src/cli/output/terminal/text.js';
import { parseJson } from '../../src/client/errors/parse-json.js';
import { serviceMessage } from '../../src/client/errors/response-errors.js';
import { retryAfter } from '../../src/client/layers/retry-after.js';
import { plainText } from '../../src/export/table/plain-text.js';
import { OpacError } from '../../src/service/errors.js';
import { keepSecret, redact } from '../../src/service/redact.js';

keepSecret('aaaaaaaaaaaaaaaaaaaa');
keepSecret('secret-of-linear-time');

const LENGTH = 60_000;
/** The linear ones take a few milliseconds, a quadratic one half a minute: long enough for a busy machine. */
const LONGEST = 15_000;

/** Pieces that are repeated to the size wanted. */
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

const many = (piece: string) => piece.repeat(Math.ceil(LENGTH / piece.length));

/** Those that measure characters: the steps are the UTF-16 units given to the segmenter, whose own time grows with the square. */
describe.each<[string, (text: string) => unknown]>([
  ['displayWidth', displayWidth],
  ['wrap', (text) => wrap(text, 80)],
  ['wrap to two columns', (text) => wrap(text, 2)],
  ['truncate', (text) => truncate(text, 79, { unicode: true })],
])('%s', (_, run) => {
  it.each(['漢', '漢 ', '👩‍👩‍👧', '🇳🇿', 'é\u0300', '\ufffd'])(
    'parts many of %j in steps of their number',
    (piece) => {
      const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
      onTestFinished(() => segment.mockRestore());
      const text = oneLine(many(piece));
      run(text);
      const steps = segment.mock.calls.map(([part = '']) => part.length);
      expect(Math.max(...steps)).toBeLessThanOrEqual(1024);
      expect(steps.reduce((sum, each) => sum + each, 0)).toBeLessThan(8 * text.length);
    },
  );
});

describe.each<[string, (text: string) => unknown]>([
  ['oneLine', oneLine],
  ['plainText', plainText],
  ['manyLines', manyLines],
  ['laidOutLines', laidOutLines],
  ['textForTerminal', textForTerminal],
  ['jsonForTerminal', jsonForTerminal],
  ['redact', redact],
  ['errorLines', (text) => errorLines(new OpacError('deployment', text, { hint: text }), { debug: true })],
  ['printable', printable],
  ['serviceMessage', (text) => serviceMessage(response(text))],
  ['retryAfter', (text) => retryAfter({ 'retry-after': text }, 0)],
  [
    'parseJson',
    (text) => {
      try {
        return parseJson(Buffer.from(text));
      } catch (error) {
        return error;
      }
    },
  ],
])('%s', (_, run) => {
  it('is done with any piece repeated', { timeout: LONGEST }, () => {
    for (const piece of PIECES) run(many(piece));
    expect(PIECES.length).toBeGreaterThan(20);
  });
});

it('JSON that is nested deep is an error, not a stack that runs out', () => {
  for (const open of ['[', '{"a":']) {
    expect(() => parseJson(Buffer.from(open.repeat(100_000)))).toThrow(SyntaxError);
    expect(() => parseJson(Buffer.from(`${open.repeat(600)}1`))).toThrow('nested deeper than 512 levels');
  }
  expect(parseJson(Buffer.from(`${'['.repeat(500)}"]]["${']'.repeat(500)}`))).toHaveLength(1);
});
