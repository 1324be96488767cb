/** Reads option values at the border: text in, checked values out. Each throws a UsageError that names the option. */
import { UsageError } from '../../service/errors.js';
import { didYouMean } from '../../service/nearest.js';
import type { Input } from '../command/option.js';

type Options = Input['options'];

export function stringOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The same for an option that has no meaning without a value: a variable of a script may be empty by mistake. */
export function filledOption(options: Options, name: string): string | undefined {
  const value = stringOption(options, name);
  if (value?.trim() !== '') return value;
  throw new UsageError(`${optionFlag(name)} is empty`, 'give it a value, or leave it out');
}

export function stringsOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function flagOption(options: Options, name: string): boolean {
  return options[name] === true;
}

/** An integer from `least` to `most`. */
export function integerOption(
  options: Options,
  name: string,
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return parsedNumber(options, name, `an integer ${range}`, (value, number) => {
    return /^\d+$/.test(value) && number >= least && number <= most;
  });
}

/** A number above 0, fractions allowed. */
export function numberOption(options: Options, name: string): number | undefined {
  return parsedNumber(options, name, 'a number greater than 0', (value, number) => {
    return value.trim() !== '' && Number.isFinite(number) && number > 0;
  });
}

function parsedNumber(
  options: Options,
  name: string,
  what: string,
  isValid: (value: string, number: number) => boolean,
): number | undefined {
  const value = stringOption(options, name);
  if (value === undefined) return undefined;
  if (!isValid(value, Number(value)))
    throw new UsageError(`invalid value "${value}" for ${optionFlag(name)}; must be ${what}`);
  return Number(value);
}

export function choiceOption<C extends string>(
  options: Options,
  name: string,
  choices: readonly C[],
): C | undefined {
  const value = stringOption(options, name);
  if (value === undefined) return undefined;
  return parseChoice(value, choices, `invalid value "${value}" for ${optionFlag(name)}`);
}

/** `value` when it is one of `choices`, else an error that says `fact`. */
export function parseChoice<C extends string>(value: string, choices: readonly C[], fact: string): C {
  const known = choices.find((candidate) => candidate === value);
  if (known !== undefined) return known;
  throw new UsageError(fact, didYouMean(value, choices));
}

/** The values that are there, for options that may be absent but not undefined. */
export function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** `pageSize` as it is written on the command line: `--page-size`. */
export function optionFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
