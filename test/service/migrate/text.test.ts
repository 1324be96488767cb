import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { migrateText } from '../../../src/service/migrate/text.js';
import { nastyText } from '../../nasty-text.js';

/** Lines with an address of version 2, as they stand in programs and documents, and what they become. */
const MOVED: readonly (readonly [before: string, after: string])[] = [
  [
    'curl "https://museum.example/api/v2/opacobjects?limit=5" | jq .',
    'curl "https://museum.example/api/v3/opacobjects?limit=5" | jq .',
  ],
  ["fetch('/opaccollections/7/opacobjects')", "fetch('/opacobjects?query=collections%3A%227%22')"],
  [
    `const url = \`\${base}/api/v2/highlights/\${id}/opacobjects\`;`,
    `const url = \`\${base}/api/v3/opacobjects?query=highlight%3A%22\${id}%22\`;`,
  ],
  [
    'url = f"{BASE}/api/v2/opaccollections/{self.id}/opacobjects"',
    'url = f"{BASE}/api/v3/opacobjects?query=collections%3A%22{self.id}%22"',
  ],
  [
    'See [objects](https://museum.example/api/v2/directory/opaccollections).',
    'See [objects](https://museum.example/api/v3/opaccollections).',
  ],
  [
    '<https://museum.example/api/v2/comments>, and more',
    '<https://museum.example/api/v3/opacobjects/comments>, and more',
  ],
  [
    '<a href="/api/v2/opacobjects?limit=1&amp;opacObjectIds=2">x</a>',
    '<a href="/api/v3/opacobjects?limit=1&amp;query=external_object_id%3A%28%222%22%29">x</a>',
  ],
  ['&quot;/api/v2/views/opacpersons&quot;', '&quot;/api/v3/opacpersons/views&quot;'],
  [
    'GET opaccollections/<id>/opacobjects and rest',
    'GET opacobjects?query=collections%3A%22<id>%22 and rest',
  ],
  ['  router.get("/views/opacobjects", views); // now', '  router.get("/opacobjects/views", views); // now'],
  [
    '| /api/v2/authorities/maker_name | terms |',
    '| /api/v3/opaccollections/defaultcollection/authorities/maker_name | terms |',
  ],
  ['BASE=https://museum.example/api/v2', 'BASE=https://museum.example/api/v3'],
  [
    'a: https://a.example/api/v2/opacvenues,https://b.example/api/v2/opacvenues;',
    'a: https://a.example/api/v3/opacvenues,https://b.example/api/v3/opacvenues;',
  ],
  ['"/highlights?derivative=LARGE&limit=3"', '"/highlights?limit=3"'],
  ['\t{"u":"https:\\u002f","v":"/api/v2/opacrecords"}', '\t{"u":"https:\\u002f","v":"/api/v3/opacrecords"}'],
  [
    '\'/api/v2/opacobjects?query=name:"William Blake"\'',
    '\'/api/v3/opacobjects?query=name:"William Blake"\'',
  ],
  ['is **/api/v2/opacobjects** there?', 'is **/api/v3/opacobjects** there?'],
  // A quote of the next line closes nothing.
  [
    'say "/opaccollections/7/opacobjects?limit=5 now\nand "more',
    'say "/opacobjects?query=collections%3A%227%22&limit=5 now\nand "more',
  ],
];

/** Lines of which nothing may change. */
const KEPT: readonly string[] = [
  '',
  '   trailing blanks   ',
  'plain prose about roles, comments and opaccollections/7',
  'the /comments and the /roles of other sites',
  'https://museum.example/api/v3/opacobjects?query=a+b%20c',
  'https://museum.example/opaccollections/7/opacobjects on the web site',
  'cp ./opaccollections/7/opacobjects /var/www/opaccollections/7/opacobjects',
  'https://other.example/api/v1/comments and https://other.example/api/v20/opacobjects',
  `const a = { b: \`\${c}\`, d: [1, 2] }; // {x} <y> %s $z :w`,
  '"/opacobjects/comments" + "/opacpersons/5"',
  'ünïcödé 🏺 \u00a0 \ue000 \t tabs',
  '"/comments" \'/roles\'',
  '"https://museum.example/api/v2/roles"',
  '"/api/v2/opacpersons/1/objectroles/2"',
  'https://other.example/api/v2/users?x=/roles',
  '"/opaccollections/7/opacobjects?query=" + query',
  '\'/opaccollections/7/opacobjects?query=name:"a b"\'',
];

describe('migrateText', () => {
  it.each(MOVED)('moves %s', (before, after) => {
    expect(migrateText(before)).toMatchObject({ text: after, unmoved: [] });
  });

  it.each(KEPT)('keeps %j', (line) => {
    expect(migrateText(line)).toMatchObject({ text: line, changes: [] });
  });

  it('tells what changed and what could not be moved, and where', () => {
    const text = 'x\r\n  see "/api/v2/comments".\n\r"/roles"\r\n/api/v2/opacpersons/1/objectroles/2';
    expect(migrateText(text)).toEqual({
      text: text.replace('/api/v2/comments', '/api/v3/opacobjects/comments'),
      changes: [
        { line: 2, column: 8, before: '/api/v2/comments', after: '/api/v3/opacobjects/comments', notes: [] },
      ],
      unmoved: [
        {
          line: 4,
          column: 2,
          text: '/roles',
          alternatives: [
            '/opacobjects/relationships',
            '/opacpersons/relationships',
            '/opacvenues/relationships',
          ],
          notes: ['this may be a path of the service; left unchanged'],
        },
        {
          line: 5,
          column: 1,
          text: '/api/v2/opacpersons/1/objectroles/2',
          alternatives: ['/api/v3/opacpersons/1/relationships/{relationshipId}'],
          notes: ['roleId 2 is not a relationshipId; choose one from "opac relationships list persons"'],
        },
      ],
    });
  });

  it.each([
    ['"/comments"', 'may be a path of the service'],
    ['https://other.example/api/v2/users', 'unknown path of the service'],
    ['"/api/v2/opaccollections/7/opacobjects?query=" + query', 'continues in code'],
    ['"/opaccollections/7/opacobjects?query=name:blue jar"', 'not percent-encoded'],
    ['/api/v1/opacobjects', 'unknown version 1 of the service'],
  ])('does not pass over %s in silence', (text, note) => {
    const { unmoved } = migrateText(text);
    expect(unmoved).toHaveLength(1);
    expect(unmoved[0]?.notes.join()).toContain(note);
  });

  it.each([
    '"/highlights"',
    '"/colors/css"',
    '"/opacobjects/comments"',
    'plain prose about ./opac/data, and/or opacity?',
    '"/comments/new"',
    '/comments in no quotes, "./comments", "/comments.", "/comments and more, \'/roles"',
    'https://other.example/comments "https://other.example/roles"',
    'https://other.example/api/v1/users',
    'https://other.example/api/v3/users',
  ])('says nothing of %s', (text) => {
    expect(migrateText(text)).toEqual({ text, changes: [], unmoved: [] });
  });

  it('says that an address goes on in code', () => {
    const [change] = migrateText('"/api/v2/opacobjects/" + id').changes;
    expect(change).toMatchObject({
      after: '/api/v3/opacobjects/',
      notes: ['the address continues in code; check what is appended'],
    });
  });
});

describe('a file of 1,000 mixed lines', () => {
  const line = fc.oneof(
    fc.constantFrom(...MOVED),
    fc.constantFrom(...KEPT).map((kept) => [kept, kept] as const),
  );
  const end = fc.constantFrom('\n', '\r\n');
  const file = fc.array(fc.tuple(line, end), { minLength: 1000, maxLength: 1000 });

  it('changes the addresses and no other byte, and then nothing more', () => {
    fc.assert(
      fc.property(file, fc.boolean(), (lines, endsWithNewline) => {
        const join = (index: 0 | 1) =>
          lines
            .map(([texts, newline], at) => texts[index] + (at < 999 || endsWithNewline ? newline : ''))
            .join('');
        const once = migrateText(join(0));
        expect(once.text).toBe(join(1));
        const twice = migrateText(once.text);
        expect(twice.text).toBe(once.text);
        expect(twice.changes).toEqual([]);
        expect(twice.unmoved.map(({ text }) => text)).toEqual(once.unmoved.map(({ text }) => text));
      }),
      { numRuns: 10, endOnFailure: true },
    );
  });

  it('puts every change where it says', () => {
    let seen = 0;
    fc.assert(
      fc.property(file, (lines) => {
        const before = lines.map(([texts, newline]) => texts[0] + newline).join('');
        const rows = before.split(/\r\n|\n/);
        const { changes } = migrateText(before);
        seen += changes.length;
        for (const change of changes)
          expect(rows[change.line - 1]?.startsWith(change.before, change.column - 1)).toBe(true);
      }),
      { numRuns: 5, endOnFailure: true },
    );
    expect(seen).toBeGreaterThan(0);
  });
});

describe('any text', () => {
  it('is kept outside its changes', () => {
    fc.assert(
      fc.property(nastyText, (text) => {
        expect(migrateText(text)).toEqual({ text, changes: [], unmoved: [] });
      }),
    );
  });
});
