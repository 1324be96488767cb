import type { Environment } from '../client/transport/proxy.js';
import type { ProfileStore } from './store/profile-store.js';
import type { OpenKeyring } from './store/secrets.js';

export interface AuthDependencies {
  readonly environment: Environment;
  readonly store: ProfileStore;
  readonly openKeyring: OpenKeyring;
  readonly now: () => number;
  readonly note: (message: string) => void;
}
