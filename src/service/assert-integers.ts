/** Checks the numbers in the options of the library. The parsers of the command line check those of commands. */
import { UsageError } from './errors.js';

/** Throws a UsageError for a value that is not an integer of at least `min`. */
export function assertIntegers(min: number, options: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= min))
      throw new UsageError(`invalid value ${value} for ${name}; must be an integer of at least ${min}`);
}
