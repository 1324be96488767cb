/** Options have an effect: command lines with and without an option have different results. */
import { describe, expect, it } from 'vitest';
import type { CommandDescription } from '../../src/cli/description/command.js';
import { getLongFlag, listFlags } from '../../src/cli/description/option.js';
import { NOUNS } from '../../src/cli/nouns.js';
import { OUTPUT_OPTIONS } from '../../src/cli/options/global.js';
import { isUnusedIn } from '../../src/cli/options/output-kind.js';
import { opac } from './run-in-process.js';

const commands: (readonly [line: string, command: CommandDescription])[] = [];
for (const { name, load } of NOUNS)
  for (const command of (await load()).commands)
    commands.push([[...new Set([name, command.name])].join(' '), command]);

const OUTPUT_FLAGS: readonly string[] = OUTPUT_OPTIONS.map(getLongFlag);

describe.each(commands)('%s', (line, command) => {
  const { options = [], output = 'items' } = command;

  it('declares each option once', () => {
    const flags = options.flatMap(listFlags);
    expect(flags).toEqual([...new Set(flags)]);
  });

  it('refuses output options that do not apply to its output', async () => {
    const declared = options.map(getLongFlag);
    const unused = OUTPUT_OPTIONS.filter(
      (option) => isUnusedIn(output, option) && !declared.includes(getLongFlag(option)),
    );
    const words = (command.arguments ?? [])
      .filter(({ required }) => required)
      .map(({ choices }) => choices?.[0] ?? '1');
    for (const option of unused) {
      const value = option.flags.includes('<') ? [listFlags(option).includes('-f') ? 'json' : 'x'] : [];
      expect(await opac([...line.split(' '), ...words, getLongFlag(option), ...value])).toMatchObject({
        code: 2,
        stderr: `opac: ${getLongFlag(option)} has no effect in this command; omit it\n`,
      });
    }
  });
});

/** Output options with values that have an effect, by the kind of output. */
const OUTPUT_EFFECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  items: { '--format': 'json', '--columns': 'id' },
  row: { '--format': 'json' },
  value: { '--format': 'json' },
};

describe('an output option', () => {
  const searches = commands.filter(
    ([line, { arguments: parameters = [] }]) =>
      / (list|count|fields)$/.test(line) &&
      parameters.every(({ required }) => !required) &&
      line !== 'profiles list',
  );
  const rows = searches.flatMap(([line, { output = 'items' }]) =>
    Object.entries(OUTPUT_EFFECTS[output] ?? {})
      .filter(([flag]) => OUTPUT_FLAGS.includes(flag))
      .map(([flag, value]) => [line, flag, value] as const),
  );

  it.each(rows)('changes the result of "%s": %s %s', async (line, flag, value) => {
    const words = [...line.split(' '), '--mock'];
    const [withoutOption, withOption] = [await opac(words), await opac([...words, flag, value])];
    expect([withOption.stdout, withOption.code]).not.toEqual([withoutOption.stdout, withoutOption.code]);
  });
});

/** The option with its value, and words that both command lines contain. */
type Effect = readonly [words: string, common?: string];

const SEARCH_EFFECTS: Readonly<Record<string, Effect>> = {
  '--where': ['--where maker_name=Angus'],
  '--exact': ['--exact', '--where maker_name=Angus'],
  '--query': ['--query maker_name:Angus'],
  '--facet': ['--facet classification=Photographs'],
  '--collection': ['--collection 3'],
  '--highlight': ['--highlight 1'],
  '--external-id': ['--external-id 20022'],
  '--has-images': ['--has-images'],
  '--no-images': ['--no-images'],
};

// The service counts the values, so opac cannot compare records.
const { '--exact': _exact, '--no-images': _noImages, ...FACET_EFFECTS } = SEARCH_EFFECTS;

const COMMAND_EFFECTS: Readonly<Record<string, Readonly<Record<string, Effect>>>> = {
  'objects list': {
    ...SEARCH_EFFECTS,
    '--changed-since': ['--changed-since 2026-11-01'],
    '--not-found': ['--not-found /dev/null', '--external-id 20022,1'],
    '--strict': ['--strict', '--external-id 20022,1'],
    '--sort': ['--sort name:desc'],
    '--view': ['--view label', '-f json'],
    '--limit': ['--limit 2'],
    '--all': ['--all'],
    '--offset': ['--offset 2'],
    '--page-size': ['--page-size 7', '--debug'],
    '--labels': ['--labels', '--columns maker_name'],
    '--no-labels': ['--no-labels', '-f card'],
    '--sql-names': ['--sql-names', '--columns image.url'],
    '--plain-text': ['--plain-text', '--columns brief_desc'],
    '--single-line': ['--single-line', '--plain-text --all --columns brief_desc'],
  },
  'objects count': {
    ...SEARCH_EFFECTS,
    '--changed-since': ['--changed-since 2026-11-01'],
    '--strict': ['--strict', '--external-id 20022,1'],
    '--wait': ['--wait 5s', '--base-url http://127.0.0.1:9 --retries 0 --deadline 1s'],
  },
  'objects fields': {
    ...SEARCH_EFFECTS,
    '--sample': ['--sample 3'],
    '--all': ['--all'],
    '--empty': ['--empty'],
    '--dates': ['--dates'],
    '--placeholders': ['--placeholders'],
  },
  'facets list objects': { ...FACET_EFFECTS, '--top': ['--top 2'] },
};

describe.each(Object.entries(COMMAND_EFFECTS))('each option of "%s"', (line, effects) => {
  it('is in the table of effects', () => {
    const [noun, verb] = line.split(' ');
    const found = commands.find(([name]) => name === `${noun} ${verb}`)?.[1].options ?? [];
    expect(Object.keys(effects).toSorted()).toEqual(found.map(getLongFlag).toSorted());
  });

  it.each(Object.entries(effects))('changes the result: %s', async (_, [words, common = '']) => {
    const museum = common.includes('--base-url') ? '' : '--mock';
    const run = async (more: string) => {
      const argv = `${line} ${museum} ${common} ${more}`.split(' ').filter(Boolean);
      // opac prints charts only on a terminal.
      const { code, stdout, stderr } = await opac(argv, line.startsWith('facets') ? { columns: 80 } : {});
      return [code, stdout, stderr.replace(/127\.0\.0\.1:\d+|\d+ ms/g, '')];
    };
    expect(await run(words)).not.toEqual(await run(''));
  });
});
