/** Where the client secret of a profile is stored, if at all: in the keyring or in the profile. */
import { registerSecret } from '../../service/redact.js';
import type { Keyring } from './keyring.js';
import type { Profile } from './profile.js';

export type OpenKeyring = () => Promise<Keyring | undefined>;

interface SecretStorage {
  readonly remember: boolean;
  /** `--insecure-storage`: in the profile file when there is no keyring. */
  readonly insecure: boolean;
}

const account = ({ name, clientId, baseUrl }: Profile) => `${name}: ${clientId} at ${baseUrl}`;

/** Returns the profile that says where the secret is. Never stores it less safely than asked. */
export async function saveSecret(
  profile: Profile,
  secret: string,
  { remember, insecure }: SecretStorage,
  openKeyring: OpenKeyring,
  note: (message: string) => void,
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
    // A keyring that is locked, or whose owner declined, counts as none.
  }
  if (insecure) {
    note('no keyring found: the client secret is stored as plain text in the profile file (mode 0600)');
    return { ...bare, clientSecret: secret };
  }
  note(
    'no keyring found, so the client secret was not stored; use --insecure-storage to store it in the profile file',
  );
  return bare;
}

export async function loadSecret(profile: Profile, openKeyring: OpenKeyring): Promise<string | undefined> {
  if (profile.clientSecret !== undefined) return profile.clientSecret;
  if (!profile.secretInKeyring) return undefined;
  const secret = await (await openKeyring())?.read(account(profile)).catch(() => undefined);
  registerSecret(secret);
  return secret;
}

/** Deletes the secret from the keyring; one in the profile file is deleted with the profile. */
export async function deleteSecret(
  profile: Profile,
  openKeyring: OpenKeyring,
  note: (message: string) => void,
): Promise<void> {
  if (!profile.secretInKeyring) return;
  try {
    const keyring = await openKeyring();
    if (!keyring) throw new Error('no keyring');
    await keyring.remove(account(profile));
  } catch {
    note(`cannot reach the keyring, so the client secret of profile "${profile.name}" stays in it`);
  }
}
