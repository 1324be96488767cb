/** Stores the client secret of a profile in the keyring or in the profile file, if the user requests it. */
import { isSea } from 'node:sea';
import { registerSecret } from '../../service/redact.js';
import type { Keyring } from './keyring.js';
import type { Profile } from './profile.js';

export type OpenKeyring = () => Promise<Keyring | undefined>;

interface SecretStorage {
  readonly remember: boolean;
  /** `--insecure-storage`: uses the profile file if opac cannot use a keyring. */
  readonly insecure: boolean;
}

const formatAccount = ({ name, clientId, baseUrl }: Profile) => `${name}: ${clientId} at ${baseUrl}`;

const NO_KEYRING = isSea()
  ? 'this executable cannot use the keyring'
  : 'no keyring found, or opac has no access to it';

/** With `remember` or `insecure`, stores the secret in the keyring. If this fails, `insecure` adds it to the returned profile. */
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
      await keyring.write(formatAccount(profile), secret);
      return { ...bare, secretInKeyring: true };
    }
  } catch {
    // If the keyring is locked or the user refuses access, opac continues without a keyring.
  }
  if (insecure) {
    note(`${NO_KEYRING}; saving the client secret as plain text in the profile file (mode 0600)`);
    return { ...bare, clientSecret: secret };
  }
  note(
    `${NO_KEYRING}; the client secret was not saved; use --insecure-storage to save it in the profile file`,
  );
  return bare;
}

/** Returns undefined if the secret is not stored, or opac cannot read the keyring. */
export async function loadSecret(profile: Profile, openKeyring: OpenKeyring): Promise<string | undefined> {
  if (profile.clientSecret !== undefined) return profile.clientSecret;
  if (!profile.secretInKeyring) return undefined;
  const secret = await (await openKeyring())?.read(formatAccount(profile)).catch(() => undefined);
  registerSecret(secret);
  return secret;
}

/** Deletes the secret only from the keyring. The caller deletes a secret in the profile file. */
export async function deleteSecret(
  profile: Profile,
  openKeyring: OpenKeyring,
  note: (message: string) => void,
): Promise<void> {
  if (!profile.secretInKeyring) return;
  try {
    const keyring = await openKeyring();
    if (!keyring) throw new Error('no keyring');
    await keyring.remove(formatAccount(profile));
  } catch {
    note(`cannot access the keyring; the client secret of profile "${profile.name}" was not deleted`);
  }
}
