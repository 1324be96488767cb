import type { Environment } from '../client/layers/proxy.js';
import type { ProfileStore } from './store/profiles.js';
import type { OpenKeyring } from './store/secrets.js';

/** Where credentials come from, and what is needed to renew them. */
export interface AuthDependencies {
  readonly environment: Environment;
  /** Read only for what options and environment leave open. */
  readonly store: ProfileStore;
  readonly openKeyring: OpenKeyring;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Shows a message to the person. */
  readonly notice: (message: string) => void;
}
