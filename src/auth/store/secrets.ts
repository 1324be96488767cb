/** Where the client secret of a profile is kept, if at all: the keyring, the profile itself, or nowhere. */
import type { Keyring } from './keyring.js';
import type { Profile } from './profile.js';

export type OpenKeyring = () => Promise<Keyring | undefined>;

/** How the person wants the client secret kept. */
export interface SecretKeeping {
  /** `--remember-secret`: in the keyring. */
  readonly remember: boolean;
  /** `--insecure-storage`: in the profile file when there is no keyring. */
  readonly insecure: boolean;
}

/** The entry of the keyring: the same client of another deployment or profile has its own. */
const account = ({ name, clientId, baseUrl }: Profile) => `${name}: ${clientId} at ${baseUrl}`;

/**
 * Keeps the secret as wished and gives the profile that remembers where. Nothing weaker than wished is done, and what
 * could not be done is said through `notice`.
 */
export async function keepSecret(
  profile: Profile,
  secret: string,
  { remember, insecure }: SecretKeeping,
  openKeyring: OpenKeyring,
  notice: (message: string) => void,
): Promise<Profile> {
  const { clientSecret: _, secretInKeyring: __, ...bare } = profile;
  if (!remember && !insecure) return bare;
  const keyring = await openKeyring();
  try {
    if (keyring) {
      await keyring.write(account(profile), secret);
      return { ...bare, secretInKeyring: true };
    }
  } catch {
    // A keyring that is locked, or whose owner declined: the same as none.
  }
  if (insecure) {
    notice('there is no keyring: the client secret is kept as plain text in the profile file (mode 0600)');
    return { ...bare, clientSecret: secret };
  }
  notice(
    'there is no keyring, so the client secret was not kept; --insecure-storage would keep it in the profile file',
  );
  return bare;
}

/** The secret that is kept for a profile; undefined when none is, or when the keyring does not give it out. */
export async function recallSecret(profile: Profile, openKeyring: OpenKeyring): Promise<string | undefined> {
  if (profile.clientSecret !== undefined) return profile.clientSecret;
  if (!profile.secretInKeyring) return undefined;
  return (await openKeyring())?.read(account(profile)).catch(() => undefined);
}

/** Forgets the secret in the keyring; the one in the profile goes with it. Says so when the keyring does not comply. */
export async function forgetSecret(
  profile: Profile,
  openKeyring: OpenKeyring,
  notice: (message: string) => void,
): Promise<void> {
  if (!profile.secretInKeyring) return;
  try {
    const keyring = await openKeyring();
    if (!keyring) throw new Error('no keyring');
    await keyring.remove(account(profile));
  } catch {
    notice(`the keyring cannot be reached, so the client secret of "${profile.name}" stays in it`);
  }
}
