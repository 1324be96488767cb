/** Words that mean another command, field or record: opac accepts them, or prints a hint. */
import { describe, expect, it } from 'vitest';
import { splitLines } from '../e2e/run-against-museum.js';
import { runAgainstMuseum } from './run-against-museum.js';
import { opac } from './run-in-process.js';

describe('opac with a wrong or missing command', () => {
  it.each([
    ['objects open 20022', 'see: opac open --help'],
    ['objects images 20022', 'see: opac images --help'],
    ['persons relationships 5003', 'see: opac relationships --help'],
    ['objects facets', 'see: opac facets --help'],
  ])('prints a hint and sends no request: %s, %s', async (line, hint) => {
    const { code, stderr, requests } = await runAgainstMuseum(line);
    expect({ code, sent: requests.length }).toEqual({ code: 2, sent: 0 });
    expect(stderr).toContain(hint);
  });

  it.each([
    ['objects -f ids', '"opac objects" needs a command; see: opac objects --help'],
    ['-f ids profiles', '"opac profiles" needs a command; see: opac profiles --help'],
    ['-f ids', '"opac" needs a command; see: opac --help'],
  ])('prints an error, and no help on standard output: %s', async (line, message) => {
    const { code, stdout, stderr } = await opac(line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('searches for a word after list, even if it is the name of a command', async () => {
    const { requests } = await runAgainstMuseum('objects list images');
    expect(requests[0]?.query.get('query')).toBe('"images"');
  });
});

it.each([
  ['foo --help', 'unknown command "foo"'],
  ['constructor', 'unknown command "constructor"; see: opac --help'],
  ['objects exprot --help', 'unknown command "objects exprot"; did you mean "opac objects export"?'],
  ['images get --help', 'unknown command "images get"'],
])('prints one line for an unknown command: %s', async (line, message) => {
  const { code, stdout, stderr } = await runAgainstMuseum(line);
  expect({ code, stdout, lines: splitLines(stderr).length }).toEqual({ code: 2, stdout: '', lines: 1 });
  expect(stderr).toContain(message);
});

describe('objects list with column names or misspelt fields', () => {
  it('accepts column names in --sort and --where', async () => {
    const byTitle = await runAgainstMuseum('objects list --sort title -f ids --limit 5');
    const byName = await runAgainstMuseum('objects list --sort name -f ids --limit 5');
    expect([byTitle.code, byTitle.stdout]).toEqual([0, byName.stdout]);
    const found = await runAgainstMuseum('objects list --where title=fern -f ids');
    expect(found.requests.at(-1)?.query.get('query')).toBe('name:"fern"');
    const byId = await runAgainstMuseum('objects list --where id=20022 -f ids');
    expect(byId.stdout).toBe('20022\n');
  });

  it('suggests the most similar field', async () => {
    const { code, stderr } = await runAgainstMuseum('objects list --where makername=Blake');
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "maker_name"?');
  });
});

describe('a command with incomplete arguments', () => {
  it('lists the relationships of a record: relationships get <kind> <id>', async () => {
    const { code, stdout } = await runAgainstMuseum('relationships get objects 20022 -f ids');
    expect(code).toBe(0);
    expect(splitLines(stdout)).toContain('object_prod_pri_person');
  });

  it('requires the kind and the id for open, and accepts a singular kind', async () => {
    const rows = [
      ['open person 5003 --print', 0, /\/persons\/5003\n$/],
      ['open 5003 --print', 2, /^$/],
      ['open objects --print', 2, /^$/],
    ] as const;
    for (const [line, exit, output] of rows) {
      const { code, stdout } = await runAgainstMuseum(line);
      expect([line, code]).toEqual([line, exit]);
      expect(stdout).toMatch(output);
    }
  });
});
