/** Completions at the cursor, from the command descriptions: no HTTP code is loaded. */

import { KINDS, type Kind } from '../../service/kinds.js';
import { RECORD_COLUMN_NAMES } from '../../service/records/columns.js';
import { type Completes, flagsOf, longFlag, type OptionDescription } from '../command/option.js';
import type { DeploymentOptions } from '../commands/items/seen-fields.js';
import { TOPICS } from '../help/topics.js';
import { NOUNS } from '../nouns.js';
import { optionsOf, readTyped, type Typed } from './typed.js';

export interface Candidate {
  readonly value: string;
  readonly summary?: string;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** `files`: complete file names; `nospace`: no space after a candidate. */
  readonly directive?: 'files' | 'nospace';
}

export interface Names {
  readonly profiles: () => Promise<readonly string[]>;
  readonly fields: (deployment: DeploymentOptions, kind: Kind | undefined) => readonly string[];
}

const NOTHING: Candidates = { candidates: [] };

/** Takes the words after `opac`, the last of which is being typed. */
export async function candidatesFor(words: readonly string[], names: Names): Promise<Candidates> {
  const current = words.at(-1) ?? '';
  const typed = await readTyped(words.slice(0, -1));
  const all = await offered(current, typed, names);
  return { ...all, candidates: all.candidates.filter(({ value }) => value.startsWith(current)) };
}

async function offered(current: string, typed: Typed, names: Names): Promise<Candidates> {
  const { command, pending, optionsEnded } = typed;
  const valuesFor = (described: Described, text: string) => values(described, text, typed, names);
  if (pending) return valuesFor(pending, current);
  const [, flag, text] = optionsEnded ? [] : (/^(--[\w-]+)=(.*)$/s.exec(current) ?? []);
  if (flag !== undefined && text !== undefined) {
    const option = optionsOf(command).find((each) => longFlag(each) === flag);
    return option ? prefixed(`${flag}=`, await valuesFor(option, text)) : NOTHING;
  }
  if (current.startsWith('-') && !optionsEnded) return { candidates: options(current, typed) };
  if (typed.noun === undefined) return { candidates: [...NOUNS, HELP].map(named) };
  if (typed.noun === 'help') return { candidates: await helpWords(typed) };
  if (command === undefined) return { candidates: typed.commands.map(named) };
  const last = command.arguments?.at(-1);
  const argument = command.arguments?.[typed.arguments.length] ?? (last?.variadic ? last : undefined);
  return argument ? valuesFor(argument, current) : NOTHING;
}

const HELP = { name: 'help', summary: 'help on a command, or on a topic' };

function named({ name, summary }: { readonly name: string; readonly summary: string }): Candidate {
  return { value: name, summary };
}

async function helpWords({ arguments: [noun, ...more] }: Typed): Promise<readonly Candidate[]> {
  if (noun === undefined) return [...NOUNS.map(named), ...[...TOPICS.keys()].map((value) => ({ value }))];
  return more.length > 0 ? [] : (await readTyped([noun])).commands.map(named);
}

function options(current: string, { command, given }: Typed): readonly Candidate[] {
  return optionsOf(command)
    .filter((option) => !option.hidden && (option.repeatable || !given.has(longFlag(option))))
    .map((option) => ({
      value:
        (current === '-' ? undefined : flagsOf(option).find((flag) => flag === current)) ?? longFlag(option),
      summary: option.summary,
    }));
}

type Described = Pick<OptionDescription, 'choices'> & { readonly completes?: Completes };

async function values(
  { choices, completes }: Described,
  text: string,
  typed: Typed,
  names: Names,
): Promise<Candidates> {
  if (choices) return { candidates: choices.map((value) => ({ value })) };
  return completes === undefined ? NOTHING : SOURCES[completes](text, typed, names);
}

/** A name that looks like an option, a directive of the scripts, or two lines, would be taken for one. */
const isPlain = (name: string) => /^(?![-:])\P{C}+$/u.test(name);

type Source = (text: string, typed: Typed, names: Names) => Candidates | Promise<Candidates>;

const SOURCES: Readonly<Record<Completes, Source>> = {
  file: () => ({ candidates: [], directive: 'files' }),
  profile: async (_, __, { profiles }) => ({
    candidates: (await profiles()).filter(isPlain).map((value) => ({ value })),
  }),
  field: (_, typed, names) => ({ candidates: fields(typed, names).map((value) => ({ value })) }),
  'field=': (_, typed, names) => ({
    candidates: fields(typed, names).map((name) => ({ value: `${name}=` })),
    directive: 'nospace',
  }),
  columns: (text, typed, names) => {
    const before = text.slice(0, text.lastIndexOf(',') + 1);
    const given = new Set(before.split(','));
    const known = [...(before === '' ? ['all'] : []), ...RECORD_COLUMN_NAMES, ...fields(typed, names)];
    const candidates = known
      .filter((name) => !given.has(name))
      .map((name) => ({ value: `${before}${name}` }));
    return { candidates, directive: 'nospace' };
  },
};

function fields({ noun, arguments: [first], given }: Typed, names: Names): readonly string[] {
  const kind = KINDS.find((each) => each === noun) ?? KINDS.find((each) => each === first);
  const deployment = {
    mock: given.has('--mock'),
    baseUrl: given.get('--base-url'),
    profile: given.get('--profile'),
    from: [given.get('--from') ?? []].flat(),
  };
  return names.fields(deployment, kind);
}

function prefixed(prefix: string, { candidates, ...rest }: Candidates): Candidates {
  return { ...rest, candidates: candidates.map((each) => ({ ...each, value: `${prefix}${each.value}` })) };
}
