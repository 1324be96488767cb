/** Checks the options of the library. The parsers of the command line check those of commands. */
import { UsageError } from './errors.js';

/** Throws a UsageError for a value that is not an integer of at least `min`. */
export function assertIntegers(min: number, options: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= min))
      throw new UsageError(`invalid value ${value} for ${name}; must be an integer of at least ${min}`);
}

/** Throws a UsageError for a value that is not a finite number above 0. */
export function assertPositive(options: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      throw new UsageError(`invalid value ${value} for ${name}; must be a number above 0`);
}

/** Throws a UsageError for a value that is not text, or empty. Programs in JavaScript may pass any value. */
export function assertTexts(options: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(options))
    if (typeof value !== 'string' || value === '')
      throw new UsageError(`${name} must be text that is not empty`);
}

/** Throws a UsageError unless the values are an array of one or more of the choices. */
export function assertChoices(name: string, values: readonly string[], choices: readonly string[]): void {
  const isValid =
    Array.isArray(values) && values.length > 0 && values.every((each) => choices.includes(each));
  if (!isValid) throw new UsageError(`invalid value "${values}" for ${name}`, `use ${choices.join(', ')}`);
}
