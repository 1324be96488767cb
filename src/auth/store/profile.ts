/** A profile: what is stored for one deployment. Validated here when read from the file, trusted everywhere else. */
import { parseBaseUrl } from '../../client/base-url.js';
import { OpacError, UsageError } from '../../service/errors.js';
import { isObject } from '../../service/json.js';
import { registerSecret } from '../../service/redact.js';
import { type Content, checkContent } from '../../system/schema.js';
import * as v from '../../system/valibot.js';
import { CHALLENGE_FORMS } from '../flow/pkce.js';

const TEXT = v.pipe(v.string(), v.nonEmpty());
/** Milliseconds since 1970 by this machine's clock. */
const TIME = v.pipe(
  v.number(),
  v.check((isTime) => !Number.isNaN(new Date(isTime).getTime())),
);
const ADDRESS = v.pipe(
  v.string(),
  v.check((isText) => /^https?:\/\//.test(isText) && URL.canParse(isText)),
);

const PROFILE = v.object({
  baseUrl: ADDRESS,
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
  /** Allows plain http to addresses other than loopback. */
  allowHttp: v.exactOptional(v.boolean()),
  publicPage: v.exactOptional(TEXT),
  /** Defaults of options, as text by their names. */
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

/** A profile as it is in the file; keys that this version does not know are kept. */
export type ProfileEntry = Readonly<Record<string, unknown>>;

class UnusableProfileError extends OpacError {}

/** An invalid profile can still be replaced or removed. */
export const isUnusable = (error: unknown): error is OpacError => error instanceof UnusableProfileError;

/** Drops unknown keys. Throws an OpacError that names the invalid key. */
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
export function isForBaseUrl({ baseUrl }: Profile, isUrl: string): boolean {
  const normalize = (isText: string) => parseBaseUrl(isText, { allowHttp: true });
  return normalize(isUrl) === normalize(baseUrl);
}

const TOKEN_KEYS = ['accessToken', 'issuedAt', 'expiresAt'] as const;
/** What a logout deletes. */
export const SECRET_KEYS = [...TOKEN_KEYS, 'basicKey', 'clientSecret', 'secretInKeyring'] as const;

export function hasSecrets(profile: Profile): boolean {
  return SECRET_KEYS.some((key) => profile[key] !== undefined);
}
