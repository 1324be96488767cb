import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, stripHtmlFromRecord } from '../../../src/records/cells/plain-text.js';
import { readRecord } from '../../../src/service/records/record.js';
import { escapeHtml } from '../../../src/system/html.js';

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
    ['a</script>b</style >c', 'abc'],
    ['<script>a</script><b>c</b>', 'c'],
    ['<script src="x">a</b></script>c', 'c'],
    ['a<!---->b<!-- --->c', 'abc'],
    ['a<!-->b-->c', 'ac'],
    ['<b title "x>y">z', 'y">z'],
    ["<b title='x>y'>z", 'z'],
    [`<b title="it's > x">z`, 'z'],
    ['<b a="1" c="2>">z', 'z'],
    ['<b a="x>y', 'y'],
    ['<b <i>x</i>', '<b x'],
    ['<a href=x>1x>2', '1x>2'],
    ['a<br>b<BR/>c<br />d', 'a\nb\nc\nd'],
    ['<p> a </p> <p>\n</p> <p>b</p>', 'a\nb'],
    [' <p>a</p> ', 'a'],
    ['a <b>b</b> c', 'a b c'],
    ['a <div> <b> </b> </div> c', 'a\nc'],
    ['a <i> </i> <p>b', 'a\nb'],
    ['<p>a</p><td>b</td><th>c</th>d', 'a\nb cd'],
    ['<tr>\n<td>a</td>\n<td>b</td>\n</tr>', 'a\n b'],
    ['<h1>a</h1><h6>b</h6><section>c</section>', 'a\nb\nc'],
    ['<p>&nbsp;a&amp;b</p>', 'a&b'],
    ['x <y> <b>z</b>', 'x <y> z'],
    ['<b>a < b</b>', 'a < b'],
    ['<b\n>a</b\t>', 'a'],
  ])('converts %s to plain text', (html, text) => {
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
    '<script>never closed</style>',
    '<bold>x</bold>',
    '</ b>',
    '<b',
    '<b<i',
    '<b1>',
    '&amp',
    'a & b',
    '<!- x -->',
  ])('keeps text that is not HTML: %j', (text) => {
    expect(plainText(text)).toBe(text);
  });

  it('restores any text that escapeHtml escaped', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(plainText(escapeHtml(text))).toBe(text);
      }),
    );
  });

  it('never returns more characters than the original text has', () => {
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

it('converts the texts of a record, but not its ids, types, URLs and sizes', () => {
  const tagged = '<i>a</i> &amp; b';
  const record = (text: string) => ({
    opacObjectId: tagged,
    recordType: tagged,
    slug: tagged,
    title: text,
    opacCollection: { opacCollectionId: tagged, collectionName: text },
    opacObjectFieldSets: [
      {
        identifier: tagged,
        opacObjectFields: [
          { value: text, opacObjectFieldAttributes: [{ key: tagged, value: text }] },
          { value: text },
        ],
      },
    ],
    imagesCollection: {
      images: [
        {
          imageId: tagged,
          caption: text,
          imageAttributes: [{ key: tagged, value: text }],
          imageDerivatives: [{ url: tagged, width: 1, height: 2 }],
          imageLabels: [{ imageLabel: tagged }],
        },
      ],
    },
    relationshipsCollection: {
      relationships: [
        { relationshipId: tagged, relatedRecords: [{ relatedRecordId: tagged, title: text, slug: tagged }] },
      ],
    },
  });
  const [before, after] = [tagged, 'a & b'].map((text) => readRecord(record(text), 'objects'));
  if (!before || !after) expect.unreachable();
  // structuredClone returns plain Map objects.
  expect(stripHtmlFromRecord(before)).toEqual(structuredClone({ ...after, raw: before.raw }));
  const bare = readRecord({}, 'objects');
  expect(stripHtmlFromRecord(bare)).toEqual(structuredClone(bare));
});
