/** Checks the settings of faults and quirks that a user wrote, on a command line or in JSON. */
import { UsageError } from '../../service/errors.js';
import { didYouMean } from '../../service/nearest.js';

export interface Setting {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  readonly required?: true;
}

/** A setting for each property: a forgotten one does not compile. */
export type SettingsOf<Options> = { readonly [Key in keyof Options]-?: Setting };

export function integerFrom(least: number, most = Number.MAX_SAFE_INTEGER): Setting {
  return {
    expected:
      most === Number.MAX_SAFE_INTEGER ? `an integer of at least ${least}` : `from ${least} to ${most}`,
    accepts: (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  };
}

export function oneOf(...names: readonly string[]): Setting {
  return { expected: names.join(' or '), accepts: (value) => names.some((name) => name === value) };
}

export const FLAG: Setting = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };
export const TEXT: Setting = { expected: 'text', accepts: (value) => typeof value === 'string' };
export const TEXTS: Setting = {
  expected: 'text or a list of texts',
  accepts: (value) => [value].flat().every(TEXT.accepts),
};
export const OBJECT: Setting = {
  expected: 'a JSON object',
  accepts: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Throws a UsageError for an unknown, invalid or missing setting. */
export function checkSettings(
  values: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, Setting>>,
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
