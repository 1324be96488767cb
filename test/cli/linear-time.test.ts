/** Text of a service takes time in proportion to its length, whatever it is: eight times the text, far from 64 times the time. */
import { describe, expect, it } from 'vitest';
import { printable } from '../../src/check/printable.js';
import { errorLines } from '../../src/cli/output/error-lines.js';
import {
  jsonForTerminal,
  laidOutLines,
  manyLines,
  oneLine,
  textForTerminal,
} from '../../src/cli/output/terminal/sanitise.js';
import { displayWidth, truncate, wrap } from '../../src/cli/output/terminal/text.js';
import { serviceMessage } from '../../src/client/errors/answer-errors.js';
import { parseJson } from '../../src/client/errors/parse-json.js';
import { retryAfter } from '../../src/client/layers/retry-after.js';
import { OpacError } from '../../src/service/errors.js';
import { keepSecret, redact } from '../../src/service/redact.js';

keepSecret('aaaaaaaaaaaaaaaaaaaa');
keepSecret('secret-of-linear-time');

const SMALL = 6_000;
const TIMES = 8;
/** Between the 8 of linear and the 64 of quadratic work. */
const MOST = 28;

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
];

const answer = (text: string) => ({
  status: 500,
  headers: {},
  bytes: Buffer.from(JSON.stringify({ message: text })),
  elapsed: 0,
});

const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  oneLine,
  manyLines,
  laidOutLines,
  textForTerminal,
  jsonForTerminal,
  displayWidth: (text) => displayWidth(oneLine(text)),
  wrap: (text) => wrap(oneLine(text), 80),
  'wrap to two columns': (text) => wrap(oneLine(text), 2),
  truncate: (text) => truncate(oneLine(text), 79, { unicode: true }),
  redact,
  errorLines: (text) => errorLines(new OpacError('deployment', text, { hint: text }), { debug: true }),
  printable,
  serviceMessage: (text) => serviceMessage(answer(text)),
  retryAfter: (text) => retryAfter({ 'retry-after': text }, 0),
  parseJson: (text) => {
    try {
      return parseJson(Buffer.from(text));
    } catch (error) {
      return error;
    }
  },
};

/** The shortest of some runs, in milliseconds: what the machine does besides only makes others longer. */
function shortest(run: () => unknown, enough: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 4 && best > enough; n++) {
    const begun = performance.now();
    run();
    best = Math.min(best, performance.now() - begun);
  }
  return best;
}

describe.each(Object.entries(FUNCTIONS))('%s', (_, run) => {
  it.each(PIECES)('takes linear time for many of %j', (piece) => {
    const text = (length: number) => piece.repeat(Math.ceil(length / piece.length));
    const [small, large] = [text(SMALL), text(SMALL * TIMES)];
    // Below a millisecond a clock says nothing, and nothing is the matter.
    const base = Math.max(
      shortest(() => run(small), 0),
      0.5,
    );
    expect(shortest(() => run(large), base * MOST)).toBeLessThan(base * MOST);
  });
});

it('JSON that is nested deep is an error, not a stack that runs out', () => {
  for (const open of ['[', '{"a":']) {
    expect(() => parseJson(Buffer.from(open.repeat(100_000)))).toThrow(SyntaxError);
    expect(() => parseJson(Buffer.from(`${open.repeat(600)}1`))).toThrow('nested deeper than 512 levels');
  }
  expect(parseJson(Buffer.from(`${'['.repeat(500)}"]]["${']'.repeat(500)}`))).toHaveLength(1);
});
