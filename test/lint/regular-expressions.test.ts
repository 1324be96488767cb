/** All regular expressions of the program take linear time, also with hostile texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { isSlowExpression } from './slow-expression.js';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** Returns the place, the source and the flags of each regular expression in a file. */
function listExpressions(file: string): [place: string, source: string, flags: string][] {
  const text = ts.createSourceFile(file, readFileSync(join(SOURCE, file), 'utf8'), ts.ScriptTarget.Latest);
  const found: [string, string, string][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push([`${file}: ${node.text}`, node.text.slice(1, end), node.text.slice(end + 1)]);
    }
    ts.forEachChild(node, visit);
  };
  visit(text);
  return found;
}

it('all regular expressions in src/ take linear time', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const literals = files.flatMap(listExpressions);
  expect(literals.length).toBeGreaterThan(300);
  expect(
    literals.filter(([, source, flags]) => isSlowExpression(source, flags)).map(([place]) => place),
  ).toEqual([]);
});

it('only normalizeUnicode normalizes text, because String.normalize takes quadratic time', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && readFileSync(join(SOURCE, file), 'utf8').includes('.normalize('),
  );
  // The first file contains a script for browsers, the second generates data.
  expect(files.sort()).toEqual([
    'images/sheet/sheet-html.ts',
    'mock/data/record-json.ts',
    'service/normalize-unicode.ts',
  ]);
});

it.each(['(a+)+$', 'a*a*b', '\\s+$', 'a[^b]*b'])('isSlow detects %s', (source) => {
  expect(isSlowExpression(source, '')).toBe(true);
});
