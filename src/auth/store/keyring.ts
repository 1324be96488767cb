/** The operating system's keyring. */

export interface Keyring {
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

const SERVICE = 'opac';

/** Returns undefined if the optional package is not installed or the keyring fails, as on Linux without a secret service. */
export async function openKeyring(): Promise<Keyring | undefined> {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    // The keyring of the Linux kernel would lose secrets at a restart.
    const entry = (account: string) =>
      new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });
    await entry('availability').getPassword();
    return {
      read: async (account) => (await entry(account).getPassword()) ?? undefined,
      write: (account, secret) => entry(account).setPassword(secret),
      remove: async (account) => {
        await entry(account).deletePassword();
      },
    };
  } catch {
    return undefined;
  }
}
