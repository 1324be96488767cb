/** Parses an unfinished command line with the command descriptions. */
import type { CommandDescription } from '../description/command.js';
import { listFlags, longFlag, type OptionDescription } from '../description/option.js';
import { NOUNS } from '../nouns.js';
import { listGlobalOptions } from '../options/global.js';
import { isUnusedIn, limitFormats } from '../options/output-kind.js';

export interface TypedCommandLine {
  readonly noun: string | undefined;
  readonly commands: readonly CommandDescription[];
  readonly command: CommandDescription | undefined;
  readonly arguments: readonly string[];
  /** The long flags of the options given. */
  readonly givenOptions: ReadonlySet<string>;
  readonly pendingOption: OptionDescription | undefined;
  /** True after `--`: further words are arguments. */
  readonly optionsEnded: boolean;
}

export async function parseTypedWords(words: readonly string[]): Promise<TypedCommandLine> {
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
      if (option) givenOptions.add(longFlag(option));
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

/** The options of the command, followed by the global options. */
export function listOptions(command: CommandDescription | undefined): readonly OptionDescription[] {
  const own = command?.options ?? [];
  const { output = 'items' } = command ?? {};
  const others = listGlobalOptions(own).filter((option) => !isUnusedIn(output, option));
  return [...own, ...others.map((option) => limitFormats(output, option))];
}
