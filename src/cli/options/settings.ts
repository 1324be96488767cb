/**
 * The settings of requests that an option, an environment variable and a profile may set: option before environment before
 * profile. Options, `opac help environment` and `opac profiles set` are made from this table.
 */
import {
  BASIC_KEY_TIMEOUT,
  DEFAULT_CONCURRENCY,
  DEFAULT_PAGE_SIZE,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT,
} from '../../client/defaults.js';
import { UsageError } from '../../service/errors.js';
import type { Input, OptionDescription } from '../command/option.js';
import { durationOption } from './duration.js';
import { flagOption, integerOption, numberOption, optionFlag } from './read.js';

type Options = Input['options'];

export interface Setting {
  /** The option in camel case: `pageSize`. */
  readonly name: string;
  /** In a profile: `page-size`. */
  readonly key: string;
  readonly variable: string;
  /** What an option takes: `<n>`; `''` for one without a value, which elsewhere is yes or no. */
  readonly value: string;
  readonly summary: string;
  readonly default: string | number;
  /** Throws a UsageError for an invalid value. */
  readonly parse: (options: Options, name: string) => unknown;
}

type Row = Pick<Setting, 'value' | 'summary' | 'default' | 'parse'>;

const atLeastOne: Setting['parse'] = (options, name) => integerOption(options, name, 1);

const ROWS = {
  pageSize: { value: '<n>', summary: 'records per request', default: DEFAULT_PAGE_SIZE, parse: atLeastOne },
  timeout: {
    value: '<seconds>',
    summary: 'timeout of a request',
    default: `${DEFAULT_TIMEOUT}, with a basic key ${BASIC_KEY_TIMEOUT}`,
    parse: numberOption,
  },
  deadline: {
    value: '<duration>',
    summary: 'time limit of the whole command: 90s, 10m, 2h',
    default: 'none',
    parse: durationOption,
  },
  retries: {
    value: '<n>',
    summary: 'retries of a failed request',
    default: DEFAULT_RETRIES,
    parse: integerOption,
  },
  concurrency: {
    value: '<n>',
    summary: 'maximum number of concurrent requests',
    default: DEFAULT_CONCURRENCY,
    parse: atLeastOne,
  },
  rate: { value: '<n>', summary: 'maximum requests per second', default: 'no limit', parse: numberOption },
  allowHttp: {
    value: '',
    summary: 'allow unencrypted HTTP to another machine',
    default: 'no',
    parse: flagOption,
  },
} as const satisfies Readonly<Record<string, Row>>;

export type SettingName = keyof typeof ROWS;

export const SETTINGS: readonly Setting[] = Object.entries(ROWS).map(([name, row]) => {
  const key = optionFlag(name).slice(2);
  return { name, key, variable: `OPAC_${key.replaceAll('-', '_').toUpperCase()}`, ...row };
});

/** The options of the settings. */
export const SETTING_OPTIONS: readonly OptionDescription[] = SETTINGS.map(
  ({ key, value, summary, default: usual }) => ({
    flags: `--${key}${value && ` ${value}`}`,
    summary,
    ...(value !== '' && { default: usual }),
  }),
);

/** The options with what the environment sets beside them. Throws a UsageError that names the variable. */
export function withEnvironment(options: Options, environment: NodeJS.ProcessEnv): Options {
  return filled(options, ({ variable }) => [environment[variable] || undefined, variable]);
}

/** The options with what a profile sets beside them, by the keys of the settings. Throws a UsageError that names both. */
export function withProfile(
  options: Options,
  profile: string,
  set: Readonly<Record<string, string>>,
): Options {
  return filled(options, ({ key }) => [set[key], `${key} of profile "${profile}"`]);
}

type Source = readonly [text: string | undefined, where: string];

function filled(options: Options, sourceOf: (setting: Setting) => Source): Options {
  const all: Record<string, unknown> = { ...options };
  for (const setting of SETTINGS) {
    const [text, where] = sourceOf(setting);
    if (text !== undefined) all[setting.name] ??= checkedValue(setting, text, where);
  }
  return all;
}

const YES_OR_NO: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  1: true,
  no: false,
  false: false,
  0: false,
};

/** Throws a UsageError for what is neither. */
export function yesOrNo(text: string, where: string): boolean {
  const answer = YES_OR_NO[text.trim().toLowerCase()];
  if (answer === undefined) throw new UsageError(`invalid value "${text}" for ${where}; must be yes or no`);
  return answer;
}

/** The value of a setting as its option would have it; `where` it was set is for the error. */
export function checkedValue({ name, value, parse }: Setting, text: string, where: string): string | boolean {
  if (value === '') return yesOrNo(text, where);
  try {
    parse({ [name]: text.trim() }, name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replace(optionFlag(name), where), error.hint);
  }
  return text.trim();
}
