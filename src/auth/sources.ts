import type { Environment } from '../client/layers/proxy.js';
import type { ProfileStore } from './store/profiles.js';
import type { OpenKeyring } from './store/secrets.js';

/** Where credentials, and what belongs to them, are looked up. */
export interface Sources {
  /** The OPAC_ variables. */
  readonly environment: Environment;
  /** Read only when flags and environment leave something open. */
  readonly store: ProfileStore;
  readonly openKeyring: OpenKeyring;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told what the person should know. */
  readonly notice: (message: string) => void;
}
