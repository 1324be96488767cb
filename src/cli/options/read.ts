/** Reads option values at the border: text in, checked values out. Each throws a UsageError that names the option. */
import { UsageError } from '../../service/errors.js';
import { didYouMean } from '../../service/nearest.js';
import type { Input } from '../command/option.js';

type Options = Input['options'];

export function stringOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

export function stringsOption(options: Options, name: string): readonly string[] {
  const value = options[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function flagOption(options: Options, name: string): boolean {
  return options[name] === true;
}

/** A whole number from `least` to `most`. */
export function integerOption(
  options: Options,
  name: string,
  least = 0,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const value = stringOption(options, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} up` : `${least} to ${most}`;
    throw new UsageError(`${optionFlag(name)} takes a whole number from ${range}, not "${value}"`);
  }
  return number;
}

/** A number above zero, fractions allowed. */
export function numberOption(options: Options, name: string): number | undefined {
  const value = stringOption(options, name);
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number <= 0) {
    throw new UsageError(`${optionFlag(name)} takes a number above 0, not "${value}"`);
  }
  return number;
}

/** One of the names in `choices`. */
export function choiceOption<C extends string>(
  options: Options,
  name: string,
  choices: readonly C[],
): C | undefined {
  const value = stringOption(options, name);
  return value === undefined ? undefined : parseChoice(value, choices, `value of ${optionFlag(name)}`);
}

/** `value` when it is one of `choices`; `what` names it in the error. */
export function parseChoice<C extends string>(value: string, choices: readonly C[], what: string): C {
  const known = choices.find((candidate) => candidate === value);
  if (known === undefined) throw new UsageError(`"${value}" is no ${what}`, didYouMean(value, choices));
  return known;
}

/** `pageSize` as it is written on the command line: `--page-size`. */
export function optionFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
