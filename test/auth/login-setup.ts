/** Sets up a login to a built-in museum. Everything is real except the user, the browser and the keyring. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { LoginDependencies } from '../../src/auth/login/login-context.js';
import type { Keyring } from '../../src/auth/store/keyring.js';
import { ProfileStore } from '../../src/auth/store/profile-store.js';
import { createTransport } from '../../src/client/transport/transport.js';
import { type Museum, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { createTemporaryFolder } from './temporary-folder.js';

/** Returns a port of 127.0.0.1 that is free at this moment. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts a museum that requires credentials. The redirect URI of its client has a free port. */
export async function startGuardedMuseum(options: MuseumOptions = {}): Promise<Museum> {
  const redirectURI = `http://127.0.0.1:${await findFreePort()}/callback`;
  const client = {
    clientId: 'museum-client',
    clientSecret: 'museum-client-secret',
    redirectURIs: [redirectURI],
  };
  const museum = await startMuseum({
    access: 'authorized',
    ...options,
    oauth: { clients: [client], ...options.oauth } as NonNullable<MuseumOptions['oauth']>,
  });
  onTestFinished(() => museum.close());
  return museum;
}

export interface MemoryKeyring extends Keyring {
  readonly secrets: Map<string, string>;
}

export function createMemoryKeyring(): MemoryKeyring {
  const secrets = new Map<string, string>();
  return {
    secrets,
    read: async (account) => secrets.get(account),
    write: async (account, secret) => {
      secrets.set(account, secret);
    },
    remove: async (account) => {
      secrets.delete(account);
    },
  };
}

export interface LoginSetup {
  readonly dependencies: LoginDependencies;
  readonly store: ProfileStore;
  readonly folder: string;
  /** Everything that the user saw, including questions. */
  readonly messages: string[];
  /** The URLs that the browser opened. */
  readonly opened: string[];
}

/** `answers` contains the reply of the user to each question, by the beginning of the question. */
export async function setUpLogin(
  change: Partial<LoginDependencies> & {
    readonly answers?: Readonly<Record<string, string>>;
    readonly keyring?: Keyring;
    readonly folder?: string;
  } = {},
): Promise<LoginSetup> {
  const { answers = {}, keyring, folder = await createTemporaryFolder(), ...rest } = change;
  const messages: string[] = [];
  const opened: string[] = [];
  const note = (message: string) => void messages.push(message);
  const store = new ProfileStore({ folder: folder, note });
  const ask = async (question: string) => {
    messages.push(question);
    const beginning = Object.keys(answers).find((start) => question.startsWith(start));
    if (beginning === undefined) expect.unreachable(`nobody answers "${question}"`);
    return answers[beginning];
  };
  const dependencies: LoginDependencies = {
    environment: {},
    platform: 'linux',
    store,
    openKeyring: async () => keyring,
    now: Date.now,
    note,
    prompt: { lineFromTerminal: ask, lineFromTerminalOrPipe: ask, secret: ask, close: () => {} },
    connect: (baseUrl) => {
      const transport = createTransport({ baseUrl });
      onTestFinished(() => transport.close());
      return transport.send;
    },
    openBrowser: async (url) => void opened.push(url),
    announce: (url) => void messages.push(url),
    ...rest,
  };
  return { dependencies, store, folder, messages, opened };
}
