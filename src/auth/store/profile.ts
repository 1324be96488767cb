/** A profile: what is kept of one deployment. Read from the file at the border here, trusted everywhere else. */
import { parseBaseUrl } from '../../client/base-url.js';
import { OpacError, UsageError } from '../../service/errors.js';
import { CHALLENGE_FORMS, type ChallengeForm } from '../flow/pkce.js';

const SCHEMES = ['bearer', 'basic', 'anonymous'] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  readonly scheme: Scheme;
  readonly clientId?: string;
  readonly redirectURI?: string;
  /** The form of the challenge that the deployment takes. */
  readonly challengeForm?: ChallengeForm;
  readonly accessToken?: string;
  /** When the token was received and when it ends, in milliseconds since 1970 by this machine's clock. */
  readonly issuedAt?: number;
  readonly expiresAt?: number;
  readonly basicKey?: string;
  /** Only with `--insecure-storage`. */
  readonly clientSecret?: string;
  /** The client secret lies in the operating system's keyring. */
  readonly secretInKeyring?: boolean;
  /** Plain http to other than loopback addresses is allowed. */
  readonly allowHttp?: boolean;
  /** Address of a record's public page, a pattern for `opac open`. */
  readonly publicPage?: string;
}

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value !== '';
const time: Check = (value) => Number.isFinite(value) && !Number.isNaN(new Date(value as number).getTime());
const address: Check = (value) =>
  text(value) && /^https?:\/\//.test(value as string) && URL.canParse(value as string);
const flag: Check = (value) => typeof value === 'boolean';
const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

/** What each key of a profile in the file must be. */
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
};
const REQUIRED: readonly string[] = ['baseUrl', 'scheme'] satisfies (keyof Profile)[];

/** Gives the name back when it can name a profile; throws a UsageError when not. */
export function profileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} cannot name a profile`,
    'a name has up to 64 letters, digits, dots, hyphens and underscores, and starts with a letter or digit',
  );
}

/** The entry of a profile in the file: keys we do not know are kept for whoever wrote them. */
export type Entry = Readonly<Record<string, unknown>>;

/** A profile in the file that cannot be used as it is. */
class UnusableProfileError extends OpacError {}

/** Whether the error says that a profile is there but cannot be used: it can still be made anew or removed. */
export const isUnusable = (error: unknown): error is OpacError => error instanceof UnusableProfileError;

/** Reads an entry. Throws an OpacError that names the key when a value cannot be right; unknown keys are left out. */
export function readProfile(name: string, entry: Entry): Profile {
  const known: Record<string, unknown> = { name };
  for (const [key, isRight] of Object.entries(KEYS)) {
    const value = Object.hasOwn(entry, key) ? entry[key] : undefined;
    if (value === undefined ? REQUIRED.includes(key) : !isRight(value)) {
      throw new UnusableProfileError('usage', `the profile "${name}" has no usable ${key}`, {
        hint: `log in again with "opac login -p ${name}", or remove it with "opac profiles remove ${name}"`,
      });
    }
    if (value !== undefined) known[key] = value;
  }
  return known as unknown as Profile;
}

/** The entry to write for a profile, over the one that was there. */
export function writeProfile({ name: _, ...profile }: Profile, before: Entry = {}): Entry {
  const foreign = Object.entries(before).filter(([key]) => !Object.hasOwn(KEYS, key));
  return { ...profile, ...Object.fromEntries(foreign) };
}

/** Whether the address is that of the profile's deployment, however either is written. Throws a UsageError when it is none. */
export function isAt({ baseUrl }: Profile, address: string): boolean {
  const form = (text: string) => parseBaseUrl(text, { allowHttp: true });
  return form(address) === form(baseUrl);
}
