import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeLine, sanitizeLines } from '../../../../src/cli/output/terminal/sanitize.js';
import {
  displayWidth,
  pad,
  splitGraphemes,
  truncate,
  wrap,
  wrapMessage,
} from '../../../../src/cli/output/terminal/text.js';
import { nastyText } from '../screens.js';

const unicode = { unicode: true };
const ascii = { unicode: false };

describe('sanitizeLine', () => {
  it.each([
    ['a  b\t\nc ', 'a b c'],
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u009b31mred', 'red'],
    ['\u001b]52;c;ZXZpbA==\u0007copied', 'copied'],
    ['\u001b]8;;https://evil.example\u001b\\here\u001b]8;;\u001b\\', 'here'],
    ['\u001bPq#0\u001b\\picture', 'picture'],
    ['\u001b]0;no end', '0;no end'],
    ['\u001bc\u001b7reset', 'reset'],
    ['be\u0007ll\b', 'bell'],
    ['\u202eevil\u202c \u2066x', 'evil x'],
    ['\ufeffbom\u200b', 'bom'],
    ['a\u0304', 'ā'],
    ['\ud800', '\ufffd'],
    ['नमस्\u200dते', 'नमस्\u200dते'],
  ])('converts %j to %j', (text, line) => {
    expect(sanitizeLine(text)).toBe(line);
  });

  it('removes control characters, lone surrogates and bidirectional controls', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        expect(sanitizeLine(text)).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe('sanitizeLines', () => {
  it.each([
    ['a\nb', ['a', 'b']],
    ['\n a \r\n\r\n\r\n b\u2028c\n', ['a', '', 'b', 'c']],
    ['', ['']],
  ])('converts %j to %j', (text, lines) => {
    expect(sanitizeLines(text)).toEqual(lines);
  });
});

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['Ātiawa', 6],
    ['A\u0304', 1],
    ['大英', 4],
    ['ﾊﾝｶｸ', 4],
    ['👩‍👩‍👧‍👦', 2],
    ['👍🏽', 2],
    ['🇳🇿', 2],
    ['🫠', 2],
    ['❤️', 2],
    ['שָׁ', 1],
    ['नमस्ते', 3],
    ['', 0],
  ])('returns for "%s" %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('truncate', () => {
  it.each([
    ['Physalia', 8, 'Physalia'],
    ['Physalia', 5, 'Phys…'],
    ['one two', 5, 'one…'],
    ['大英博物館', 6, '大英…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3, '👩‍👩‍👧‍👦…'],
    ['ab', 1, '…'],
    ['ab', 0, ''],
  ])('shortens "%s" to %i columns: "%s"', (text, width, cut) => {
    expect(truncate(text, width, unicode)).toBe(cut);
  });

  it('ends with three dots without Unicode', () => {
    expect(truncate('Physalia', 7, ascii)).toBe('Phys...');
  });

  it('never splits a character, and never exceeds the width', () => {
    fc.assert(
      fc.property(nastyText.map(sanitizeLine), fc.nat(60), (text, width) => {
        const cut = truncate(text, width, unicode);
        expect(displayWidth(cut)).toBeLessThanOrEqual(width);
        const kept = splitGraphemes(cut === text ? cut : cut.replace(/…$/, ''));
        expect(splitGraphemes(text).slice(0, kept.length)).toEqual(kept);
      }),
    );
  });
});

describe('wrap', () => {
  it.each([
    ['two long tentacles', 8, ['two long', 'tentacle', 's']],
    ['two long', 20, ['two long']],
    ['', 20, ['']],
    ['大英博物館', 4, ['大英', '博物', '館']],
  ])('wraps %j at %i columns to %j', (text, width, lines) => {
    expect(wrap(text, width)).toEqual(lines);
  });

  it('keeps every character except spaces, in lines that fit the width', () => {
    fc.assert(
      fc.property(nastyText.map(sanitizeLine), fc.integer({ min: 4, max: 60 }), (text, width) => {
        const lines = wrap(text, width);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});

describe('pad', () => {
  it('adds spaces on the right or left, and counts a wide character as two columns', () => {
    expect(pad('大', 4)).toBe('大  ');
    expect(pad('12', 4, 'right')).toBe('  12');
    expect(pad('too long', 4)).toBe('too long');
  });
});

it.each([
  ['a\u001b', 'a'],
  ['\u001b', ''],
  ['a\u001b\u001b\u001bb', 'a'],
  ['a\u001b é', 'a é'],
  ['a\u009d8;;https://evil.example', 'a8;;https://evil.example'],
  ['a\u0090q#0', 'aq#0'],
  ['a\u009b', 'a'],
  ['a\u009b31', 'a31'],
  ['a\u001b]0;title', 'a0;title'],
])('reduces %j with its unfinished escape sequence to %j', (text, left) => {
  expect(sanitizeLine(text)).toBe(left);
  expect(sanitizeLines(text)).toEqual([left]);
});

describe('wrapMessage', () => {
  const url = 'https://museum.example/api/v3/opacobjects?query=collections%3A%227%22&limit=100&offset=0';

  it.each([
    ['it fits', 10, ['it fits']],
    ['it does not fit', 10, ['it does', 'not fit']],
    ['  indented text that is long', 14, ['  indented', '  text that is', '  long']],
    [`open ${url} now`, 20, ['open', url, 'now']],
    ['go on with: opac objects export --resume', 20, ['go on with:', 'opac objects export --resume']],
    ['did you mean "opac get 1"? Or 2', 24, ['did you mean', '"opac get 1"? Or 2']],
    ['one\ntwo three', 7, ['one', 'two', 'three']],
  ])('wraps %j at %d columns', (text, width, lines) => {
    expect(wrapMessage(text, width).split('\n')).toEqual(lines);
  });

  it('keeps all words, in lines that fit the width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-zā]{1,12}$/), { minLength: 1 }),
        fc.integer({ min: 20, max: 120 }),
        (words, width) => {
          const lines = wrapMessage(words.join(' '), width).split('\n');
          expect(lines.join(' ')).toBe(words.join(' '));
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
