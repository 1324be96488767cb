import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../../src/export/table/plain-text.js';
import { escapeHtml } from '../../../src/service/html.js';

describe('plainText', () => {
  it.each([
    ['<p>Given by <a href="/x?a=1&amp;b=2">A | B</a></p>', 'Given by A | B'],
    ['<p>One</p>\n<p class="x">Two<br/>three</p>', 'One\nTwo\nthree'],
    ['<ul><li>a</li><li>b</li></ul>after', 'a\nb\nafter'],
    ['<table><tr><td>1</td><td>2</td></tr></table>', '1 2'],
    ['Ng&#257; M&#x101;ori &amp; &eacute;', 'Ngā Māori & é'],
    ['<em title="a > b">x</em>', 'x'],
    ["<em title='a > b'>x</em>", 'x'],
    ['<IMG SRC="data:x" onerror="alert(1)">seen', 'seen'],
    ['a<script>alert("<b>")</SCRIPT >b<style>p{}</style><!-- <i> -->c', 'abc'],
    ['&lt;b&gt; is bold &amp;lt;', '<b> is bold &lt;'],
  ])('%s', (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  it.each([
    'a < b',
    'a<b',
    'x <y and z> w',
    '1 <2> 3',
    'signed <illegible>, <sic>',
    'AT&T &copy 2020 &unknown;',
    'https://example.org/?a=1&lt=2',
    'two  blanks\r\nand a line',
    '<',
    'open <b',
    'open <a href="x',
    '<!-- open',
    ' <b title="x" <i',
    '<script>never closed',
  ])('leaves what is no HTML: %j', (text) => {
    expect(plainText(text)).toBe(text);
  });

  it('gives every text back that was escaped', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(plainText(escapeHtml(text))).toBe(text);
      }),
    );
  });

  it('leaves no tag of its own making', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '<b',
      '</b',
      'p',
      '=',
      '"',
      "'",
      '<p>',
      '<!--',
      '-->',
      '<script>',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(pieces), (all) => {
        const text = all.join('');
        expect(plainText(text).length).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
