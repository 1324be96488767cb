/** Forgetting: credentials of a profile, of all, or a profile altogether. */
import { isUnusable, type Profile, profileName } from './store/profile.js';
import type { ProfileStore } from './store/profiles.js';
import { forgetSecret, type OpenKeyring } from './store/secrets.js';

export interface LogoutMeans {
  readonly store: ProfileStore;
  readonly openKeyring: OpenKeyring;
  readonly notice: (message: string) => void;
}

/**
 * Forgets the access token, the basic key and the client secret of a profile (undefined: of every one), and gives the names
 * of those that had any. Base URL, client id and redirect URI stay for the next login.
 */
export async function logout(
  name: string | undefined,
  { store, openKeyring, notice }: LogoutMeans,
): Promise<readonly string[]> {
  const names = name === undefined ? (await store.names()).names : [profileName(name)];
  const forgotten: string[] = [];
  for (const each of names) {
    const profile = await readable(each, { store, notice });
    if (!profile || !hasSecrets(profile)) continue;
    await forgetSecret(profile, openKeyring, notice);
    await store.update(each, withoutSecrets);
    forgotten.push(each);
  }
  return forgotten;
}

/** Removes a profile and its secret in the keyring. Throws a UsageError when there is none of that name. */
export async function removeProfile(
  name: string,
  { store, openKeyring, notice }: LogoutMeans,
): Promise<void> {
  const profile = await readable(profileName(name), { store, notice: () => {} });
  await store.remove(name);
  if (profile) await forgetSecret(profile, openKeyring, notice);
}

/** One profile that cannot be read must not keep the others from being forgotten. */
async function readable(
  name: string,
  { store, notice }: Pick<LogoutMeans, 'store' | 'notice'>,
): Promise<Profile | undefined> {
  try {
    return await store.get(name);
  } catch (error) {
    if (!isUnusable(error)) throw error;
    notice(`${error.message}; ${error.hint}`);
    return undefined;
  }
}

const SECRETS = [
  'accessToken',
  'issuedAt',
  'expiresAt',
  'basicKey',
  'clientSecret',
  'secretInKeyring',
] as const;

const hasSecrets = (profile: Profile) => SECRETS.some((key) => profile[key] !== undefined);

function withoutSecrets(profile: Profile): Profile {
  const kept = { ...profile };
  for (const key of SECRETS) delete kept[key];
  return kept;
}
