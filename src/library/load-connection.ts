/** Loads the deployment and the credentials from profiles and the environment, as `opac` does. */
import { resolveDeployment } from '../auth/deployment.js';
import { openKeyring } from '../auth/store/keyring.js';
import { ProfileStore } from '../auth/store/profile-store.js';
import type { ClientOptions } from '../client/client.js';
import type { Credentials } from '../client/credentials.js';
import { DEFAULT_BASIC_KEY_TIMEOUT_SECONDS, DEFAULT_TIMEOUT_SECONDS } from '../client/defaults.js';
import type { Send } from '../client/http-request.js';
import { withRetry } from '../client/layers/retry.js';
import { createTransport, type TransportOptions } from '../client/transport/transport.js';
import { UsageError } from '../service/errors.js';

/** Where to look for the deployment and the credentials. */
export interface ConnectionOptions {
  /** The name of a profile of `opac login`. Default: OPAC_PROFILE, otherwise the profile in use. */
  readonly profile?: string | undefined;
  /** Default: OPAC_BASE_URL (unless the option `profile` is set), otherwise the URL of the profile. */
  readonly baseUrl?: string | undefined;
  readonly allowHttp?: boolean | undefined;
  /** Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Called with a warning, for example if opac does not use the credentials of the profile. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** A deployment and its credentials: options for `createClient` and `checkDeployment`. */
export interface Connection extends ClientOptions {
  readonly credentials: Credentials;
}

/**
 * Options take precedence over the environment, and the environment over the profile. Ignores settings of commands, such as
 * OPAC_TIMEOUT. Throws a UsageError for an unknown profile, an invalid URL or, without credentials, a misspelt variable, and an
 * OpacError of kind
 * `auth` if there is no URL and no profile. The first request throws an error if the credentials are incomplete or rejected.
 */
export async function loadConnection(options: ConnectionOptions = {}): Promise<Connection> {
  const { environment = process.env, onNotice = () => undefined } = options;
  const store = new ProfileStore({ folder: environment.OPAC_CONFIG_DIR, note: onNotice });
  const dependencies = { environment, store, openKeyring, now: Date.now, note: onNotice };
  const { baseUrl, allowHttp, scheme, profile, credentials } = await resolveDeployment(options, dependencies);
  if (scheme === 'anonymous' && !profile) assertNoMisspeltVariable(environment);
  const timeout = scheme === 'basic' ? DEFAULT_BASIC_KEY_TIMEOUT_SECONDS : DEFAULT_TIMEOUT_SECONDS;
  const send = createSendOnce({ baseUrl, environment, timeout });
  return { baseUrl, allowHttp, credentials: credentials(send), environment, timeout };
}

/** Throws a UsageError for a name like OPAC_TOKENS, because requests without these credentials may return fewer records. */
function assertNoMisspeltVariable(environment: NonNullable<ConnectionOptions['environment']>): void {
  const name = Object.keys(environment).find((each) => /^OPAC_.*(KEY|TOKEN|SECRET|CLIENT)/i.test(each));
  if (name !== undefined)
    throw new UsageError(`unknown variable ${name} in the environment`, 'see: opac help environment');
}

/** Returns a function that sends the rare requests for a new token. Each request uses a new connection and closes it. */
function createSendOnce(options: TransportOptions): Send {
  return withRetry(async (request) => {
    const transport = createTransport(options);
    try {
      return await transport.send(request);
    } finally {
      await transport.close();
    }
  }, {});
}
