/** The settings of requests. An option takes precedence over an environment variable, and a variable over a profile. */
import {
  DEFAULT_BASIC_KEY_TIMEOUT_SECONDS,
  DEFAULT_CONCURRENCY,
  DEFAULT_PAGE_SIZE,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_SECONDS,
} from '../../client/defaults.js';
import { UsageError } from '../../service/errors.js';
import {
  type CommandInput,
  getLongFlag,
  inGroup,
  type OptionDescription,
  toCamelCase,
} from '../description/option.js';
import { CONNECTION, LIMIT_HEADING } from './groups.js';
import { duration, integer, positiveNumber } from './parse.js';

const YES_OR_NO: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  1: true,
  no: false,
  false: false,
  0: false,
};

function parseYesOrNo(text: string, where: string): boolean {
  const value = YES_OR_NO[text.trim().toLowerCase()];
  if (value === undefined) throw new UsageError(`invalid value "${text}" for ${where}; must be yes or no`);
  return value;
}

export const PAGE_SIZE_OPTION = {
  group: LIMIT_HEADING,
  flags: '--page-size <n>',
  summary: 'records per request',
  defaultText: DEFAULT_PAGE_SIZE,
  parse: integer(1),
} as const satisfies OptionDescription;

export const SETTING_OPTIONS = [
  ...inGroup(CONNECTION, [
    {
      flags: '--timeout <duration>',
      summary: 'time limit for one request',
      defaultText: `${DEFAULT_TIMEOUT_SECONDS}s, with a basic key ${DEFAULT_BASIC_KEY_TIMEOUT_SECONDS}s`,
      parse: duration,
    },
    {
      flags: '--deadline <duration>',
      summary: 'time limit for the complete command, such as 90s, 10m or 2h',
      defaultText: 'none',
      parse: duration,
    },
    {
      flags: '--retries <n>',
      summary: 'number of retries for a failed request',
      defaultText: DEFAULT_RETRIES,
      parse: integer(),
    },
    {
      flags: '--concurrency <n>',
      summary: 'maximum number of concurrent requests',
      defaultText: DEFAULT_CONCURRENCY,
      parse: integer(1),
    },
    {
      flags: '--rate <n>',
      summary: 'maximum number of requests per second',
      defaultText: 'no limit',
      parse: positiveNumber,
    },
    { flags: '--allow-http', summary: 'allow unencrypted HTTP to other machines', parse: parseYesOrNo },
    {
      flags: '--allow-private-images',
      summary: 'load images from private networks and from this machine',
      parse: parseYesOrNo,
    },
  ]),
] as const satisfies readonly OptionDescription[];

export interface Setting {
  /** In camel case: `pageSize`. */
  readonly name: string;
  /** In a profile: `page-size`. */
  readonly key: string;
  readonly variable: string;
  readonly summary: string;
  readonly default: string | number;
  /** Throws a UsageError for an invalid value. */
  readonly parse: (text: string, where: string) => unknown;
}

export const SETTINGS: readonly Setting[] = [PAGE_SIZE_OPTION, ...SETTING_OPTIONS].map(
  (option: OptionDescription) => {
    const key = getLongFlag(option).slice(2);
    const { summary, defaultText = 'no', parse = parseYesOrNo } = option;
    const variable = `OPAC_${key.replaceAll('-', '_').toUpperCase()}`;
    return { name: toCamelCase(key), key, variable, summary, default: defaultText, parse };
  },
);

/** Adds the values of variables for omitted options. Throws a UsageError that names the variable of an invalid value. */
export function applyEnvironment(input: CommandInput, environment: NodeJS.ProcessEnv): CommandInput {
  return addSettings(input, ({ variable }) => [environment[variable] || undefined, variable]);
}

/** Adds the values of a profile for omitted options. Throws a UsageError that names the profile and key of an invalid value. */
export function applyProfile(
  input: CommandInput,
  profile: string,
  settings: Readonly<Record<string, string>>,
): CommandInput {
  return addSettings(input, ({ key }) => [settings[key], `${key} of profile "${profile}"`]);
}

function addSettings(
  input: CommandInput,
  getSource: (setting: Setting) => readonly [text: string | undefined, where: string],
): CommandInput {
  const all: Record<string, unknown> = { ...input };
  for (const setting of SETTINGS) {
    const [text, where] = getSource(setting);
    if (text !== undefined) all[setting.name] ??= setting.parse(text.trim(), where);
  }
  return all;
}
