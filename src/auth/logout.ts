/** Logs out of one profile or of all profiles, or removes a profile. */
import { hasSecrets, type Profile, SECRET_KEYS } from './store/profile.js';
import type { ProfileStore } from './store/profile-store.js';
import { deleteSecret, type OpenKeyring } from './store/secrets.js';

export interface LogoutDependencies {
  readonly store: ProfileStore;
  readonly openKeyring: OpenKeyring;
  readonly note: (message: string) => void;
}

/** Without a name, logs out of all profiles. Returns the profiles that had secrets. Throws a UsageError for an unknown name. */
export async function logout(
  name: string | undefined,
  { store, openKeyring, note }: LogoutDependencies,
): Promise<readonly Profile[]> {
  const { names: known } = await store.listNames();
  if (name !== undefined && !known.includes(name)) await store.getRequired(name);
  const names = name === undefined ? known : [name];
  const loggedOut: Profile[] = [];
  for (const each of names) {
    const profile = await store.getUsable(each, ({ message, hint }) => note(`${message}; ${hint}`));
    if (!profile || !hasSecrets(profile)) continue;
    await deleteSecret(profile, openKeyring, note);
    await store.update(each, removeSecrets);
    loggedOut.push(profile);
  }
  return loggedOut;
}

export async function removeProfile(
  name: string,
  { store, openKeyring, note }: LogoutDependencies,
): Promise<void> {
  const profile = await store.getUsable(name);
  await store.remove(name);
  if (profile) await deleteSecret(profile, openKeyring, note);
}

function removeSecrets(profile: Profile): Profile {
  const others = { ...profile };
  for (const key of SECRET_KEYS) delete others[key];
  return others;
}
