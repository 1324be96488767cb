/** Parsers of option values. Each throws a UsageError that names the option or variable. */
import { parseDay } from '../../records/cells/parse-day.js';
import { UsageError } from '../../service/errors.js';
import { didYouMean } from '../../service/suggest-name.js';
import type { OptionDescription, Parser } from '../description/option.js';

function createInvalidValueError(text: string, where: string, form: string): UsageError {
  return new UsageError(`invalid value "${text}" for ${where}; must be ${form}`);
}

/** Refuses blank values, because a variable of a script may be empty by mistake. */
export const nonBlank: Parser<string> = (text, where) => {
  if (text.trim() !== '') return text;
  throw new UsageError(`${where} is empty`, 'give it a value, or omit it');
};

export function integer(min = 0, max = Number.MAX_SAFE_INTEGER): Parser<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return (text, where) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < min || number > max)
      throw createInvalidValueError(text, where, `an integer ${range}`);
    return number;
  };
}

/** Also accepts decimals. */
export const positiveNumber: Parser<number> = (text, where) => {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0)
    throw createInvalidValueError(text, where, 'a number greater than 0');
  return number;
};

const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };
const BYTES = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** Parses `500ms`, `60s`, `2m` or `1h`, and returns milliseconds. A number without a unit means seconds. */
export const duration = withUnit(MILLISECONDS, 's', 'a duration such as 60s, 500ms, 2m or 1h');

/** Parses `500KB` or `16MB`, and returns bytes. A number without a unit means bytes. */
export const size: Parser<number> = (text, where) =>
  Math.floor(withUnit(BYTES, 'b', 'a size such as 500KB or 16MB', 1)(text, where));

function withUnit(
  units: Readonly<Record<string, number>>,
  defaultUnit: string,
  form: string,
  min = Number.MIN_VALUE,
): Parser<number> {
  return (text, where) => {
    const [, number = '', unit = defaultUnit] = /^(\d+(?:\.\d+)?)\s*([a-z]+)?$/i.exec(text.trim()) ?? [];
    const value = Number(number) * (new Map(Object.entries(units)).get(unit.toLowerCase()) ?? 0);
    if (value < min) throw createInvalidValueError(text, where, form);
    return value;
  };
}

/** A day such as `2026-11-01`, or `today` or `yesterday`. The value is the first moment of the day in local time. */
export const day: Parser<Date> = (text, where) => {
  const daysAgo = ['today', 'yesterday'].indexOf(text);
  const now = new Date();
  if (daysAgo >= 0) return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
  const begin = new Date(`${text}T00:00`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && parseDay(text) !== undefined) return begin;
  throw createInvalidValueError(text, where, 'a day such as 2026-11-01, or today or yesterday');
};

/** Names separated by commas. */
export const names: Parser<readonly string[]> = (text, where) => {
  const all = text.split(',').map((each) => each.trim());
  if (all.includes(''))
    throw new UsageError(`${where} contains an empty name`, 'separate the names with single commas: a,b,c');
  return all;
};

export function oneOf<Choice extends string>(choices: readonly Choice[]): Parser<Choice> {
  return (text, where) => parseChoice(text, choices, `invalid value "${text}" for ${where}`);
}

/** Choices separated by commas. */
export function someOf<Choice extends string>(choices: readonly Choice[]): Parser<readonly Choice[]> {
  return (text, where) => names(text, where).map((name) => oneOf(choices)(name, where));
}

/** Returns the value if it is one of the choices. Otherwise, throws a UsageError with `message`. */
export function parseChoice<C extends string>(value: string, choices: readonly C[], message: string): C {
  const known = choices.find((candidate) => candidate === value);
  if (known !== undefined) return known;
  throw new UsageError(message, didYouMean(value, choices));
}

export function getParser({ parse, choices }: Pick<OptionDescription, 'parse' | 'choices'>): Parser<unknown> {
  return parse ?? (choices ? oneOf(choices) : (text) => text);
}
