/** Logging out: deletes the credentials of one profile or of all, or a whole profile. */
import { isUnusable, type Profile, profileName } from './store/profile.js';
import type { ProfileStore } from './store/profiles.js';
import { deleteSecret, type OpenKeyring } from './store/secrets.js';

export interface LogoutDependencies {
  readonly store: ProfileStore;
  readonly openKeyring: OpenKeyring;
  readonly notice: (message: string) => void;
}

/**
 * Deletes the access token, the basic key and the client secret of a profile (undefined: of every one); returns the names of
 * the profiles that had any. Base URL, client id and redirect URI stay for the next login.
 */
export async function logout(
  name: string | undefined,
  { store, openKeyring, notice }: LogoutDependencies,
): Promise<readonly string[]> {
  const names = name === undefined ? (await store.names()).names : [profileName(name)];
  const loggedOut: string[] = [];
  for (const each of names) {
    const profile = await readUsable(each, store, notice);
    if (!profile || !hasSecrets(profile)) continue;
    await deleteSecret(profile, openKeyring, notice);
    await store.update(each, withoutSecrets);
    loggedOut.push(each);
  }
  return loggedOut;
}

/** Deletes a profile and its secret in the keyring. Throws a UsageError when there is no profile of that name. */
export async function removeProfile(
  name: string,
  { store, openKeyring, notice }: LogoutDependencies,
): Promise<void> {
  const profile = await readUsable(profileName(name), store, () => {});
  await store.remove(name);
  if (profile) await deleteSecret(profile, openKeyring, notice);
}

/** A profile that cannot be read must not keep the others logged in. */
async function readUsable(
  name: string,
  store: ProfileStore,
  notice: (message: string) => void,
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
