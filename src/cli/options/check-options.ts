/** The values of a command's arguments and options, checked together. */
import { UsageError } from '../../service/errors.js';
import {
  type ArgumentDescription,
  type CommandInput,
  camelCase,
  longFlag,
  type OptionDescription,
} from '../description/option.js';
import { globalOptionsBeside } from './global.js';
import { isUnusedIn, type OutputKind } from './output-kind.js';
import { parserOf } from './parse.js';

interface Declared {
  readonly arguments?: readonly ArgumentDescription[];
  readonly options?: readonly OptionDescription[];
  readonly output?: OutputKind;
}

/**
 * Parses the `words` and adds the defaults to the options `given` before and after the name of the command. Throws a UsageError
 * for an option that has no effect in the command, and for two that cannot be used together.
 */
export function inputOf(
  { arguments: taken = [], options = [], output = 'items' }: Declared,
  words: readonly string[],
  given: CommandInput,
): CommandInput {
  const beside = globalOptionsBeside(options);
  const unused = beside.find((option) => isUnusedIn(output, option) && givenFor(longFlag(option), given));
  if (unused) throw new UsageError(`${longFlag(unused)} has no effect in this command`, 'leave it out');
  const input: Record<string, unknown> = { ...given };
  for (const option of [...options, ...beside]) {
    const flag = longFlag(option);
    const isGiven = givenFor(flag, given) !== undefined;
    const other = isGiven && option.conflicts?.find((each) => givenFor(each, given) !== undefined);
    if (other) throw new UsageError(`${flag} cannot be used with ${other}`);
    if (!isGiven)
      input[nameOf(flag)] = option.repeatable
        ? []
        : (option.default ?? (option.parse ? undefined : withoutValue(option.flags)));
  }
  taken.forEach((argument, n) => {
    const texts = argument.variadic ? words.slice(n) : words.slice(n, n + 1);
    const values = texts.map((text) => parserOf(argument)(text, `<${argument.name}>`));
    input[camelCase(argument.name)] = argument.variadic ? values : values[0];
  });
  return input;
}

/** A flag that is not given is false, `--no-…` true. */
function withoutValue(flags: string): boolean | undefined {
  if (/[<[]/.test(flags)) return undefined;
  return flags.startsWith('--no-');
}

function nameOf(flag: string): string {
  return camelCase(flag.replace(/^--(no-)?/, ''));
}

function givenFor(flag: string, given: CommandInput): unknown {
  return given[nameOf(flag)];
}
