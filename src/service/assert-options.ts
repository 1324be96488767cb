/** Checks the options that programs pass to the library. Each function throws a UsageError for an invalid value. */
import { UsageError } from './errors.js';

export function assertIntegers(min: number, options: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= min))
      throw new UsageError(`invalid value ${value} for ${name}; must be an integer of at least ${min}`);
}

export function assertPositive(options: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      throw new UsageError(`invalid value ${value} for ${name}; must be a number above 0`);
}

/** Also checks the type, because TypeScript does not check the values that JavaScript programs pass. */
export function assertTexts(options: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(options))
    if (typeof value !== 'string' || value === '')
      throw new UsageError(`${name} must be text that is not empty`);
}

export function assertChoices(name: string, values: readonly string[], choices: readonly string[]): void {
  const isValid =
    Array.isArray(values) && values.length > 0 && values.every((each) => choices.includes(each));
  if (!isValid) throw new UsageError(`invalid value "${values}" for ${name}`, `use ${choices.join(', ')}`);
}
