import { describe, expect, it } from 'vitest';
import { findCandidates } from '../../../src/cli/completion/candidates.js';
import { parseShellWords } from '../../../src/cli/description/shell-words.js';
import { NOUNS } from '../../../src/cli/nouns.js';
import { LISTED_FORMATS } from '../../../src/export/convert/formats.js';

const readProfiles = async () => ['museum', 'archive', '-p', ':files', 'a\nb'];

async function complete(line: string) {
  const { candidates, directive } = await findCandidates(parseShellWords(line).slice(1), readProfiles);
  return { values: candidates.map(({ value }) => value), directive };
}

const completeValues = async (line: string) => (await complete(line)).values;

describe('findCandidates', () => {
  it('returns all commands and "help" after "opac"', async () => {
    expect(await completeValues('opac ')).toEqual([...NOUNS.map(({ name }) => name), 'help']);
  });

  it.each([
    ['opac obj', ['objects']],
    ['opac objects ge', ['get']],
    ['opac objects zzz', []],
    ['opac nothing ', []],
    ['opac facets ', ['list', 'get']],
    ['opac facets list p', ['persons']],
    ['opac facets get objects ', []],
    ['opac completion f', ['fish']],
    ['opac open v', ['venues']],
    ['opac profiles use ', ['museum', 'archive']],
    ['opac help exit', ['exit-codes']],
    ['opac help objects g', ['get']],
    ['opac objects list -f ', ['table', 'card', ...LISTED_FORMATS]],
    ['opac objects list --format=nd', ['--format=ndjson']],
    ['opac -f csv openapi --error-format ', ['text', 'json']],
    ['opac login --method p', ['paste']],
    ['opac objects list -p mus', ['museum']],
    ['opac objects list --page', ['--page-size']],
    ['opac objects list --mock --mo', []],
    ['opac objects list --where a=b --wher', ['--where']],
    ['opac login --client-s', []],
    ['opac objects list -- --page', []],
  ])('completes "%s" with %j', async (line, expected) => {
    expect(await completeValues(line)).toEqual(expected);
  });

  it('returns the directive "files" for options that expect a file', async () => {
    for (const line of ['opac objects list -o ', 'opac objects list --from x']) {
      expect(await complete(line)).toEqual({ values: [], directive: 'files' });
    }
  });

  it('completes the last name in --columns, and omits names that are already in the list', async () => {
    expect(await complete('opac objects list --columns id,tit')).toEqual({
      values: ['id,title'],
      directive: 'nospace',
    });
    expect(await completeValues('opac objects list --columns a')).toEqual(['all']);
    expect(await completeValues('opac objects list --columns=id,title,i')).toEqual([
      '--columns=id,title,image.count',
      '--columns=id,title,image.url',
    ]);
  });
});
