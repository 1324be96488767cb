/** Checks the settings of faults, which come from a command line or from a program. */
import { UsageError } from '../../service/errors.js';
import { isObject } from '../../service/json.js';
import { didYouMean } from '../../service/suggest-name.js';

export interface Validator<Value = unknown> {
  readonly expected: string;
  readonly accepts: (value: unknown) => value is Value;
  readonly required?: true;
}

export type Settings = Readonly<Record<string, Validator>>;

type ValueOf<S> = S extends Validator<infer Value> ? Value : never;
type RequiredName<S> = { [Key in keyof S]: S[Key] extends { required: true } ? Key : never }[keyof S];

export type ValuesOf<S> = { readonly [Key in RequiredName<S>]: ValueOf<S[Key]> } & {
  readonly [Key in Exclude<keyof S, RequiredName<S>>]?: ValueOf<S[Key]>;
};

export function required<Value>(setting: Validator<Value>): Validator<Value> & { readonly required: true } {
  return { ...setting, required: true };
}

export function createInteger(min: number, max = Number.MAX_SAFE_INTEGER): Validator<number> {
  return {
    expected:
      max === Number.MAX_SAFE_INTEGER ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`,
    accepts: (value): value is number =>
      Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  };
}

/** Compares the value as text, because `parseFault` converts digits to a number. */
export function createChoice<Name extends string>(...names: readonly Name[]): Validator<Name> {
  return {
    expected: names.join(' or '),
    accepts: (value): value is Name => names.some((name) => name === String(value)),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const BOOLEAN: Validator<boolean> = {
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const NUMBER: Validator<number> = {
  expected: 'a number',
  accepts: (value): value is number => Number.isFinite(value),
};
export const TEXT: Validator<string> = { expected: 'text', accepts: isText };
export const TEXT_LIST: Validator<string | readonly string[]> = {
  expected: 'text or a list of texts',
  accepts: (value): value is string | string[] => [value].flat().every(isText),
};
export const OBJECT: Validator<Readonly<Record<string, unknown>>> = {
  expected: 'a JSON object',
  accepts: isObject,
};

/** Throws a UsageError for an unknown, invalid or missing setting. */
export function assertSettings(
  values: Readonly<Record<string, unknown>>,
  settings: Settings,
  label: (name: string) => string,
): void {
  for (const [name, value] of Object.entries(values)) {
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (!setting) throw new UsageError(`unknown ${label(name)}`, didYouMean(name, Object.keys(settings)));
    if (!setting.accepts(value))
      throw new UsageError(`invalid value "${value}" for ${label(name)}`, `it must be ${setting.expected}`);
  }
  for (const [name, { required, expected }] of Object.entries(settings)) {
    if (required && values[name] === undefined)
      throw new UsageError(`missing ${label(name)}`, `add ${name}=<value>; it must be ${expected}`);
  }
}
