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

const values = async (line: string) => (await complete(line)).values;

describe('at the cursor the shell is offered', () => {
  it('every command, with help', async () => {
    expect(await values('opac ')).toEqual([...NOUNS.map(({ name }) => name), 'help']);
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
    ['opac objects list --page', ['--page-size']],
    ['opac objects list --mock --mo', []],
    ['opac objects list --where a=b --wher', ['--where']],
    ['opac login --client-s', []],
    ['opac objects list -- --page', []],
  ])('for %s: %j', async (line, expected) => {
    expect(await values(line)).toEqual(expected);
  });

  it('files where files are wanted', async () => {
    for (const line of ['opac objects list -o ', 'opac objects list --from x']) {
      expect(await complete(line)).toEqual({ values: [], directive: 'files' });
    }
  });

  it('columns one after another, each once', async () => {
    expect(await complete('opac objects list --columns id,tit')).toEqual({
      values: ['id,title'],
      directive: 'nospace',
    });
    expect(await values('opac objects list --columns a')).toEqual(['all']);
    expect(await values('opac objects list --columns=id,title,i')).toEqual([
      '--columns=id,title,image.count',
      '--columns=id,title,image.url',
    ]);
  });
});
