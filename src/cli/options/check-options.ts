/** Checks the arguments and options of a command together, and returns their values. */
import { UsageError } from '../../service/errors.js';
import {
  type ArgumentDescription,
  type CommandInput,
  getLongFlag,
  type OptionDescription,
  toCamelCase,
} from '../description/option.js';
import { listGlobalOptions } from './global.js';
import { isUnusedIn, type OutputKind } from './output-kind.js';
import { getParser } from './parse.js';

interface Declared {
  readonly arguments?: readonly ArgumentDescription[];
  readonly options?: readonly OptionDescription[];
  readonly output?: OutputKind;
}

/** Throws a UsageError for an invalid argument, an option without effect, or two options that cannot be used together. */
export function createInput(
  { arguments: declared = [], options = [], output = 'items' }: Declared,
  words: readonly string[],
  given: CommandInput,
): CommandInput {
  const getGiven = (flag: string) => given[getOptionName(flag)];
  const globalOptions = listGlobalOptions(options);
  const unused = globalOptions.find((option) => isUnusedIn(output, option) && getGiven(getLongFlag(option)));
  if (unused) throw new UsageError(`${getLongFlag(unused)} has no effect in this command`, 'omit it');
  const input: Record<string, unknown> = { ...given };
  const flags = new Set(options.map(getLongFlag));
  for (const option of [...options, ...globalOptions]) {
    const flag = getLongFlag(option);
    if (getGiven(flag) === undefined) {
      // If an option exists as `--name` and as `--no-name`, it has no default: the command chooses.
      const isOneOfTwo = flags.has(flag.replace(/^--(no-)?/, (_, no) => (no ? '--' : '--no-')));
      input[getOptionName(flag)] = isOneOfTwo ? undefined : getDefault(option);
      continue;
    }
    const other = option.conflicts?.find((each) => getGiven(each) !== undefined);
    if (other) throw new UsageError(`${flag} cannot be used with ${other}`);
  }
  declared.forEach((argument, n) => {
    const texts = argument.variadic ? words.slice(n) : words.slice(n, n + 1);
    const values = texts.map((text) => getParser(argument)(text, `<${argument.name}>`));
    input[toCamelCase(argument.name)] = argument.variadic ? values : values[0];
  });
  return input;
}

/**
 * Returns `[]` for a repeatable option. For other options, returns the declared default. If there is none, returns undefined for
 * an option with a value or with `parse`, false for `--name`, and true for `--no-name`.
 */
function getDefault({ flags, repeatable, default: value, parse }: OptionDescription): unknown {
  if (repeatable) return [];
  if (value !== undefined || parse || /[<[]/.test(flags)) return value;
  return flags.startsWith('--no-');
}

function getOptionName(flag: string): string {
  return toCamelCase(flag.replace(/^--(no-)?/, ''));
}
