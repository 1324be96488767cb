/** Creates texts that may break files, queries, shells and terminals. All property tests use the same arbitrary, `nastyText`. */
import fc from 'fast-check';

/** The sorts of texts. nasty-text.test.ts counts how many draws are of each sort. */
export const SORTS: Readonly<Record<string, RegExp>> = {
  empty: /^$/,
  quote: /["']/,
  backslash: /\\/,
  separator: /[,;|\t:/]/,
  'line break': /[\r\n\u0085\u2028\u2029]/,
  blank: /^\s|\s$|\s{2}/,
  control: /(?![\t\n\r])\p{Cc}/u,
  'lone surrogate': /\p{Cs}/u,
  'beyond 16 bits': /[\u{10000}-\u{10ffff}]/u,
  'beyond ASCII': /\P{ASCII}/u,
  formula: /^[=+\-@]/,
  'letter or digit': /[\p{L}\p{N}]/u,
};

const UNITS = [
  ...['\\', '\\"', '\\\\'],
  ...[
    '"',
    "'",
    '\\',
    ',',
    ';',
    '|',
    '\t',
    ':',
    '/',
    ' ',
    '  ',
    '\n',
    '\r\n',
    '\r',
    '\u0085',
    '\u2028',
    '\u2029',
  ],
  ...[
    '\0',
    '\x1b',
    '\x1b[31m',
    '\x07',
    '\x7f',
    '\x9b',
    '\x9d',
    '\ud83e',
    '\udd91',
    '🦑',
    'ā',
    '字',
    '\u00a0',
  ],
  ...[
    '\u202e',
    '\u200b',
    '\ufeff',
    '=',
    '+',
    '-',
    '@',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '*',
    '?',
    '~',
    '!',
    '$',
    '`',
    '%',
    '#',
  ],
  ...['a', 'B', '7', '0', 'AND', 'OR', ' TO ', '__proto__'],
];

/** Most draws consist of UNITS, so that nearly every text contains unusual characters, even in a short run. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('') },
  {
    weight: 8,
    arbitrary: fc
      .array(fc.constantFrom(...UNITS), { minLength: 1, maxLength: 12, size: 'max' })
      .map((units) => units.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 20, size: 'max' }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20, size: 'max' }) },
);

/** Text that a word of a command line can contain: without NUL, and without lone surrogates, which UTF-8 cannot represent. */
export const shellText = nastyText.map((text) => text.replace(/\0|\p{Cs}/gu, ''));
