/** Parsers of option values. Each throws a UsageError that says where the text was given. */
import { UsageError } from '../../service/errors.js';
import { didYouMean } from '../../service/suggest-name.js';
import type { OptionDescription, Parser } from '../description/option.js';

function invalid(text: string, where: string, form: string): UsageError {
  return new UsageError(`invalid value "${text}" for ${where}; must be ${form}`);
}

/** A value that may not be blank: a variable of a script may be empty by mistake. */
export const fillMissing: Parser<string> = (text, where) => {
  if (text.trim() !== '') return text;
  throw new UsageError(`${where} is empty`, 'give it a value, or leave it out');
};

export function integer(least = 0, most = Number.MAX_SAFE_INTEGER): Parser<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  return (text, where) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw invalid(text, where, `an integer ${range}`);
    return number;
  };
}

/** A number above 0, fractions allowed. */
export const positiveNumber: Parser<number> = (text, where) => {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0)
    throw invalid(text, where, 'a number greater than 0');
  return number;
};

const SECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 };
const BYTES: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** A duration in milliseconds: `500ms`, `60s`, `2m`, `1h`; a bare number means seconds. */
export const duration: Parser<number> = (text, where) =>
  withUnit(text, SECONDS, 's') ?? fail(text, where, 'a duration such as 60s, 500ms, 2m or 1h');

/** A size in bytes: `500KB`, `16MB`; a bare number means bytes. */
export const size: Parser<number> = (text, where) => {
  const bytes = withUnit(text, BYTES, 'b');
  return bytes !== undefined && bytes >= 1
    ? Math.floor(bytes)
    : fail(text, where, 'a size such as 500KB or 16MB');
};

function withUnit(text: string, units: Readonly<Record<string, number>>, usual: string): number | undefined {
  const [, number = '', unit = usual] = /^(\d+(?:\.\d+)?)\s*([a-z]+)?$/i.exec(text.trim()) ?? [];
  const factor = Object.hasOwn(units, unit.toLowerCase()) ? units[unit.toLowerCase()] : undefined;
  const value = Number(number) * (factor ?? 0);
  return value > 0 ? value : undefined;
}

function fail(text: string, where: string, form: string): never {
  throw invalid(text, where, form);
}

/** Names with commas between them. */
export const names: Parser<readonly string[]> = (text, where) => {
  const all = text.split(',').map((each) => each.trim());
  if (all.includes('')) throw new UsageError(`${where} contains an empty name`, 'write it as in a,b,c');
  return all;
};

export function oneOf<Choice extends string>(choices: readonly Choice[]): Parser<Choice> {
  return (text, where) => parseChoice(text, choices, `invalid value "${text}" for ${where}`);
}

/** Some of the choices, with commas between them. */
export function someOf<Choice extends string>(choices: readonly Choice[]): Parser<readonly Choice[]> {
  return (text, where) => names(text, where).map((name) => oneOf(choices)(name, where));
}

/** `value` when it is one of `choices`, else an error that says `fact`. */
export function parseChoice<C extends string>(value: string, choices: readonly C[], fact: string): C {
  const known = choices.find((candidate) => candidate === value);
  if (known !== undefined) return known;
  throw new UsageError(fact, didYouMean(value, choices));
}

/** The parser of a declared argument or option. */
export function parserOf({ parse, choices }: Pick<OptionDescription, 'parse' | 'choices'>): Parser<unknown> {
  return parse ?? (choices ? oneOf(choices) : (text) => text);
}
