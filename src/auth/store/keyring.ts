/** The operating system's keyring, where there is one. */

export interface Keyring {
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

const SERVICE = 'opac';

/**
 * Opens the keyring. Undefined on a machine without the optional package or without a secret service: that is no error.
 * On Linux the secret service is asked for by name, because the kernel keyring, which is taken otherwise, forgets.
 */
export async function openKeyring(): Promise<Keyring | undefined> {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const entry = (account: string) =>
      new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });
    // Whether there is a keyring shows only when it is used.
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
