/** Finds the completions of the word at the cursor. */
import { RECORD_COLUMN_NAMES } from '../../service/records/columns.js';
import type { CommandDescription } from '../description/command.js';
import {
  type CompletionSource,
  getLongFlag,
  listFlags,
  type OptionDescription,
} from '../description/option.js';
import { TOPICS } from '../help/topics.js';
import { NOUNS } from '../nouns.js';
import { listGlobalOptions } from '../options/global.js';
import { isUnusedIn, limitFormats } from '../options/output-kind.js';

export interface Candidate {
  readonly value: string;
  readonly summary?: string;
}

export interface Candidates {
  readonly candidates: readonly Candidate[];
  /** `files`: the shell completes file names; `nospace`: the shell adds no space after a candidate. */
  readonly directive?: 'files' | 'nospace';
}

export type ReadProfiles = () => Promise<readonly string[]>;

const NOTHING: Candidates = { candidates: [] };

/** `words` are the words after `opac`; the last one is unfinished. */
export async function findCandidates(
  words: readonly string[],
  readProfiles: ReadProfiles,
): Promise<Candidates> {
  const current = words.at(-1) ?? '';
  const typed = await parseTypedWords(words.slice(0, -1));
  const all = await findCandidatesForWord(current, typed, readProfiles);
  return { ...all, candidates: all.candidates.filter(({ value }) => value.startsWith(current)) };
}

async function findCandidatesForWord(
  current: string,
  typed: TypedCommandLine,
  readProfiles: ReadProfiles,
): Promise<Candidates> {
  const { command, pendingOption, optionsEnded } = typed;
  if (pendingOption) return findValues(pendingOption, current, readProfiles);
  const [, flag, text] = optionsEnded ? [] : (/^(--[\w-]+)=(.*)$/s.exec(current) ?? []);
  if (flag !== undefined && text !== undefined) {
    const option = listOptions(command).find((each) => getLongFlag(each) === flag);
    return option ? addPrefix(`${flag}=`, await findValues(option, text, readProfiles)) : NOTHING;
  }
  if (current.startsWith('-') && !optionsEnded) return { candidates: findOptions(current, typed) };
  if (typed.noun === undefined) return { candidates: [...NOUNS, HELP].map(toCandidate) };
  if (typed.noun === 'help') return { candidates: await findHelpWords(typed) };
  if (command === undefined) return { candidates: typed.commands.map(toCandidate) };
  const last = command.arguments?.at(-1);
  const argument = command.arguments?.[typed.arguments.length] ?? (last?.variadic ? last : undefined);
  return argument ? findValues(argument, current, readProfiles) : NOTHING;
}

const HELP = { name: 'help', summary: 'show help for a command or a topic' };

function toCandidate({ name, summary }: { readonly name: string; readonly summary: string }): Candidate {
  return { value: name, summary };
}

async function findHelpWords({
  arguments: [noun, ...more],
}: TypedCommandLine): Promise<readonly Candidate[]> {
  if (noun === undefined)
    return [...NOUNS.map(toCandidate), ...[...TOPICS.keys()].map((value) => ({ value }))];
  return more.length > 0 ? [] : (await parseTypedWords([noun])).commands.map(toCandidate);
}

function findOptions(current: string, { command, givenOptions }: TypedCommandLine): readonly Candidate[] {
  return listOptions(command)
    .filter((option) => !option.hidden && (option.repeatable || !givenOptions.has(getLongFlag(option))))
    .map((option) => {
      const isShort = current !== '-' && listFlags(option).includes(current);
      return { value: isShort ? current : getLongFlag(option), summary: option.summary };
    });
}

type Described = Pick<OptionDescription, 'choices'> & { readonly completes?: CompletionSource };

/** True if completion scripts can read the name: it does not start with `-` or `:`, and has no control characters. */
const isPlain = (name: string) => /^(?![-:])\P{C}+$/u.test(name);

async function findValues(
  { choices, completes }: Described,
  text: string,
  readProfiles: ReadProfiles,
): Promise<Candidates> {
  if (choices) return { candidates: choices.map((value) => ({ value })) };
  if (completes === 'file') return { candidates: [], directive: 'files' };
  if (completes === 'columns') return { candidates: findColumns(text), directive: 'nospace' };
  if (completes === undefined) return NOTHING;
  return { candidates: (await readProfiles()).filter(isPlain).map((value) => ({ value })) };
}

function findColumns(text: string): readonly Candidate[] {
  const before = text.slice(0, text.lastIndexOf(',') + 1);
  const given = new Set(before.split(','));
  const known = [...(before === '' ? ['all'] : []), ...RECORD_COLUMN_NAMES];
  return known.filter((name) => !given.has(name)).map((name) => ({ value: `${before}${name}` }));
}

function addPrefix(prefix: string, { candidates, ...rest }: Candidates): Candidates {
  return { ...rest, candidates: candidates.map((each) => ({ ...each, value: `${prefix}${each.value}` })) };
}

interface TypedCommandLine {
  readonly noun: string | undefined;
  readonly commands: readonly CommandDescription[];
  readonly command: CommandDescription | undefined;
  readonly arguments: readonly string[];
  readonly givenOptions: ReadonlySet<string>;
  readonly pendingOption: OptionDescription | undefined;
  /** True after `--`, because all further words are arguments. */
  readonly optionsEnded: boolean;
}

async function parseTypedWords(words: readonly string[]): Promise<TypedCommandLine> {
  const givenOptions = new Set<string>();
  const rest: string[] = [];
  let noun: string | undefined;
  let commands: readonly CommandDescription[] = [];
  let command: CommandDescription | undefined;
  let pendingOption: OptionDescription | undefined;
  let optionsEnded = false;

  for (const word of words) {
    if (!optionsEnded && word === '--') {
      optionsEnded = true;
      pendingOption = undefined;
    } else if (!optionsEnded && /^-./.test(word)) {
      const [flag = '', value] = word.split(/=(.*)/s, 2);
      const option = listOptions(command).find((each) => listFlags(each).includes(flag));
      pendingOption = option && value === undefined && option.flags.includes('<') ? option : undefined;
      if (option) givenOptions.add(getLongFlag(option));
    } else if (pendingOption) {
      if (!pendingOption.flags.includes('...>')) pendingOption = undefined;
    } else if (noun === undefined) {
      noun = word;
      commands = (await NOUNS.find(({ name }) => name === word)?.load())?.commands ?? [];
      command = commands.find(({ name }) => name === word);
    } else if (command === undefined && commands.length > 0)
      command = commands.find(({ name }) => name === word);
    else rest.push(word);
  }
  return { noun, commands, command, arguments: rest, givenOptions, pendingOption, optionsEnded };
}

function listOptions(command: CommandDescription | undefined): readonly OptionDescription[] {
  const own = command?.options ?? [];
  const { output = 'items', formats } = command ?? {};
  const others = listGlobalOptions(own).filter((option) => !isUnusedIn(output, option));
  return [...own, ...others.map((option) => limitFormats(output, option, formats))];
}
