/** A profile: the stored settings and credentials for one deployment. Only this file validates profiles. */
import { parseBaseUrl } from '../../client/base-url.js';
import { OpacError, UsageError } from '../../service/errors.js';
import { isObject } from '../../service/json.js';
import { registerSecret } from '../../service/redact.js';
import { type Content, checkContent } from '../../system/schema.js';
import * as v from '../../system/valibot.js';
import { CHALLENGE_FORMS } from '../flow/pkce.js';

const TEXT = v.pipe(v.string(), v.nonEmpty());
/** Milliseconds since 1970, according to this machine's clock. */
const TIME = v.pipe(
  v.number(),
  v.check((time) => !Number.isNaN(new Date(time).getTime())),
);
const HTTP_URL = v.pipe(
  v.string(),
  v.check((text) => /^https?:\/\//.test(text) && URL.canParse(text)),
);

const PROFILE = v.object({
  baseUrl: HTTP_URL,
  scheme: v.picklist(['bearer', 'basic', 'anonymous']),
  clientId: v.exactOptional(TEXT),
  redirectURI: v.exactOptional(TEXT),
  challengeForm: v.exactOptional(v.picklist(CHALLENGE_FORMS)),
  accessToken: v.exactOptional(TEXT),
  issuedAt: v.exactOptional(TIME),
  expiresAt: v.exactOptional(TIME),
  basicKey: v.exactOptional(TEXT),
  clientSecret: v.exactOptional(TEXT),
  secretInKeyring: v.exactOptional(v.boolean()),
  /** Allows plain http to other machines. */
  allowHttp: v.exactOptional(v.boolean()),
  publicPage: v.exactOptional(TEXT),
  /** Default values of options, as text by option name. */
  settings: v.exactOptional(v.pipe(v.custom<object>(isObject), v.record(v.string(), TEXT))),
});
export type Profile = Content<typeof PROFILE> & { readonly name: string };
export type Scheme = Profile['scheme'];

export function parseProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new UsageError(
    `invalid profile name ${JSON.stringify(name)}`,
    'use up to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit',
  );
}

/** A profile as it is in the file, perhaps with keys of newer versions. */
export type ProfileEntry = Readonly<Record<string, unknown>>;

class UnusableProfileError extends OpacError {}

/** Returns true for the error of an invalid profile. Such a profile can still be replaced or removed. */
export const isUnusable = (error: unknown): error is OpacError => error instanceof UnusableProfileError;

/** Returns the profile without unknown keys. Throws an OpacError that names an invalid key. */
export function parseProfile(name: string, entry: ProfileEntry): Profile {
  const read = checkContent(PROFILE, entry, (key) => {
    const hint = `log in again with "opac login -p ${name}", or remove it with "opac profiles remove ${name}"`;
    return new UnusableProfileError('usage', `profile "${name}" has no valid ${key}`, { hint });
  });
  for (const secret of [read.accessToken, read.basicKey, read.clientSecret]) registerSecret(secret);
  return { name, ...read };
}

export function serializeProfile(
  { name: _, ...profile }: Profile,
  previous: ProfileEntry = {},
): ProfileEntry {
  const unknown = Object.entries(previous).filter(([key]) => !Object.hasOwn(PROFILE.entries, key));
  return { ...profile, ...Object.fromEntries(unknown) };
}

/** Returns the settings and `allow-http`, which the file stores outside the settings. */
export function profileSettings({ settings, allowHttp }: Profile): Readonly<Record<string, string>> {
  return { ...settings, ...(allowHttp !== undefined && { 'allow-http': allowHttp ? 'yes' : 'no' }) };
}

/** If the value is undefined, removes the setting. */
export function withSetting(profile: Profile, key: string, value: string | boolean | undefined): Profile {
  if (key === 'allow-http') {
    const { allowHttp: _, ...rest } = profile;
    return typeof value === 'boolean' ? { ...rest, allowHttp: value } : rest;
  }
  const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
  const { settings = {}, ...rest } = profile;
  const others = Object.entries(settings).filter(([each]) => each !== key);
  const all = text === undefined ? others : [...others, [key, text]];
  return all.length === 0 ? rest : { ...rest, settings: Object.fromEntries(all) };
}

/** Compares the URLs in normal form. Throws a UsageError for an invalid URL. */
export function isForBaseUrl({ baseUrl }: Profile, url: string): boolean {
  const normalize = (text: string) => parseBaseUrl(text, { allowHttp: true });
  return normalize(url) === normalize(baseUrl);
}

/** The keys that a logout deletes. */
export const SECRET_KEYS = [
  'accessToken',
  'issuedAt',
  'expiresAt',
  'basicKey',
  'clientSecret',
  'secretInKeyring',
] as const;

export function hasSecrets(profile: Profile): boolean {
  return SECRET_KEYS.some((key) => profile[key] !== undefined);
}
