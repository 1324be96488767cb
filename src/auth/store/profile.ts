/** A profile: what is stored for one deployment. Validated here when read from the file, trusted everywhere else. */
import { parseBaseUrl } from '../../client/base-url.js';
import { OpacError, UsageError } from '../../service/errors.js';
import { keepSecret } from '../../service/redact.js';
import { CHALLENGE_FORMS, type ChallengeForm } from '../flow/pkce.js';

const SCHEMES = ['bearer', 'basic', 'anonymous'] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  readonly scheme: Scheme;
  readonly clientId?: string;
  readonly redirectURI?: string;
  readonly challengeForm?: ChallengeForm;
  readonly accessToken?: string;
  /** Milliseconds since 1970 by this machine's clock. */
  readonly issuedAt?: number;
  readonly expiresAt?: number;
  readonly basicKey?: string;
  readonly clientSecret?: string;
  readonly secretInKeyring?: boolean;
  /** Allows plain http to addresses other than loopback. */
  readonly allowHttp?: boolean;
  readonly publicPage?: string;
  /** Defaults of options, as text by their names. */
  readonly settings?: Readonly<Record<string, string>>;
}

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value !== '';
const time: Check = (value) => Number.isFinite(value) && !Number.isNaN(new Date(value as number).getTime());
const address: Check = (value) =>
  text(value) && /^https?:\/\//.test(value as string) && URL.canParse(value as string);
const flag: Check = (value) => typeof value === 'boolean';
const texts: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(text);
const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

const KEYS: Readonly<Record<Exclude<keyof Profile, 'name'>, Check>> = {
  baseUrl: address,
  scheme: oneOf(SCHEMES),
  clientId: text,
  redirectURI: text,
  challengeForm: oneOf(CHALLENGE_FORMS),
  accessToken: text,
  issuedAt: time,
  expiresAt: time,
  basicKey: text,
  clientSecret: text,
  secretInKeyring: flag,
  allowHttp: flag,
  publicPage: text,
  settings: texts,
};
const REQUIRED: readonly string[] = ['baseUrl', 'scheme'] satisfies (keyof Profile)[];

export function profileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new UsageError(
    `invalid profile name ${JSON.stringify(name)}`,
    'use up to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit',
  );
}

/** A profile as it is in the file; keys that this version does not know are kept. */
export type Entry = Readonly<Record<string, unknown>>;

class UnusableProfileError extends OpacError {}

/** An invalid profile can still be replaced or removed. */
export const isUnusable = (error: unknown): error is OpacError => error instanceof UnusableProfileError;

/** Drops unknown keys. Throws an OpacError that names the invalid key. */
export function parseProfile(name: string, entry: Entry): Profile {
  const profile: Record<string, unknown> = { name };
  for (const [key, isValid] of Object.entries(KEYS)) {
    const value = Object.hasOwn(entry, key) ? entry[key] : undefined;
    if (value === undefined ? REQUIRED.includes(key) : !isValid(value)) {
      throw new UnusableProfileError('usage', `profile "${name}" has no valid ${key}`, {
        hint: `log in again with "opac login -p ${name}", or remove it with "opac profiles remove ${name}"`,
      });
    }
    if (value !== undefined) profile[key] = value;
  }
  const read = profile as unknown as Profile;
  for (const secret of [read.accessToken, read.basicKey, read.clientSecret]) keepSecret(secret);
  return read;
}

export function profileEntry({ name: _, ...profile }: Profile, previous: Entry = {}): Entry {
  const unknown = Object.entries(previous).filter(([key]) => !Object.hasOwn(KEYS, key));
  return { ...profile, ...Object.fromEntries(unknown) };
}

/** The settings of a profile by their names, as text. */
export function profileSettings({ settings, allowHttp }: Profile): Readonly<Record<string, string>> {
  return { ...settings, ...(allowHttp !== undefined && { 'allow-http': allowHttp ? 'yes' : 'no' }) };
}

/** The profile with that setting, or without it when there is no value. */
export function withSetting(profile: Profile, key: string, value: string | boolean | undefined): Profile {
  if (key === 'allow-http') {
    const { allowHttp: _, ...rest } = profile;
    return typeof value === 'boolean' ? { ...rest, allowHttp: value } : rest;
  }
  const { settings = {}, ...rest } = profile;
  const others = Object.entries(settings).filter(([each]) => each !== key);
  const all = value === undefined ? others : [...others, [key, String(value)]];
  return all.length === 0 ? rest : { ...rest, settings: Object.fromEntries(all) };
}

/** Ignores differences of spelling. Throws a UsageError for an invalid address. */
export function isForBaseUrl({ baseUrl }: Profile, address: string): boolean {
  const normalize = (text: string) => parseBaseUrl(text, { allowHttp: true });
  return normalize(address) === normalize(baseUrl);
}

const TOKEN = ['accessToken', 'issuedAt', 'expiresAt'] as const;
/** What a logout deletes. */
export const SECRETS = [...TOKEN, 'basicKey', 'clientSecret', 'secretInKeyring'] as const;

export function hasSecrets(profile: Profile): boolean {
  return SECRETS.some((key) => profile[key] !== undefined);
}
