/** Every option of every command changes what the command does: each has a command line that differs with and without it. */
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

  it('refuses the output options that its output does not have', async () => {
    const own = options.map(getLongFlag);
    const unused = OUTPUT_OPTIONS.filter(
      (option) => isUnusedIn(output, option) && !own.includes(getLongFlag(option)),
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

/** The lines that show the effect of an output option, by what a command gives. */
const EFFECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  items: { '--format': 'json', '--columns': 'id' },
  row: { '--format': 'json' },
  value: { '--format': 'json' },
};

describe('an output option', () => {
  const searches = commands.filter(
    ([line, { arguments: taken = [] }]) =>
      / (list|count|fields)$/.test(line) &&
      taken.every(({ required }) => !required) &&
      line !== 'profiles list',
  );
  const rows = searches.flatMap(([line, { output = 'items' }]) =>
    Object.entries(EFFECTS[output] ?? {})
      .filter(([flag]) => OUTPUT_FLAGS.includes(flag))
      .map(([flag, value]) => [line, flag, value] as const),
  );

  it.each(rows)('of "%s" has an effect: %s %s', async (line, flag, value) => {
    const words = [...line.split(' '), '--mock'];
    const [without, given] = [await opac(words), await opac([...words, flag, value])];
    expect([given.stdout, given.code]).not.toEqual([without.stdout, without.code]);
  });
});

/** Words with the option, and words that both lines have. */
type Effect = readonly [words: string, both?: string];

const SEARCH: Readonly<Record<string, Effect>> = {
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
const { '--exact': _exact, '--no-images': _noImages, ...FACET_SEARCH } = SEARCH;

const OWN: Readonly<Record<string, Readonly<Record<string, Effect>>>> = {
  'objects list': {
    ...SEARCH,
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
    ...SEARCH,
    '--changed-since': ['--changed-since 2026-11-01'],
    '--strict': ['--strict', '--external-id 20022,1'],
    '--wait': ['--wait 5s', '--base-url http://127.0.0.1:9 --retries 0 --deadline 1s'],
  },
  'objects fields': {
    ...SEARCH,
    '--sample': ['--sample 3'],
    '--all': ['--all'],
    '--empty': ['--empty'],
    '--dates': ['--dates'],
    '--placeholders': ['--placeholders'],
  },
  'facets list objects': { ...FACET_SEARCH, '--top': ['--top 2'] },
};

describe.each(Object.entries(OWN))('an option of "%s"', (line, effects) => {
  it('has a line that shows its effect', () => {
    const [noun, verb] = line.split(' ');
    const found = commands.find(([name]) => name === `${noun} ${verb}`)?.[1].options ?? [];
    expect(Object.keys(effects).toSorted()).toEqual(found.map(getLongFlag).toSorted());
  });

  it.each(Object.entries(effects))('has an effect: %s', async (_, [words, both = '']) => {
    const museum = both.includes('--base-url') ? '' : '--mock';
    const run = async (more: string) => {
      const argv = `${line} ${museum} ${both} ${more}`.split(' ').filter(Boolean);
      // Charts are for terminals.
      const { code, stdout, stderr } = await opac(argv, line.startsWith('facets') ? { columns: 80 } : {});
      return [code, stdout, stderr.replace(/127\.0\.0\.1:\d+|\d+ ms/g, '')];
    };
    expect(await run(words)).not.toEqual(await run(''));
  });
});
