/** The clients of the checks: with the user's credentials, without credentials and with invalid ones. */
import { randomUUID } from 'node:crypto';
import type { Client, ClientOptions } from '../client/client.js';
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import type { CheckedDeployment } from './probe/probe.js';
import type { CredentialsKind, Recorder } from './probe/recorder.js';

/** With one retry, a request that succeeds on the second try causes a warning instead of a failure. */
export const CHECK_RETRIES = 1;

/** `connect` creates a client, by default with the credentials of the user. */
export function createCheckedDeployment(
  scheme: Credentials['scheme'],
  recorder: Recorder,
  signal: AbortSignal,
  connect: (options: Pick<ClientOptions, 'credentials' | 'wrapTransport'>) => Client,
): CheckedDeployment {
  const client = (caller: CredentialsKind, credentials?: Credentials) =>
    connect({ ...(credentials && { credentials }), wrapTransport: recorder.withRecording(caller) });
  return {
    scheme,
    recorder,
    signal,
    clients: {
      user: client('user'),
      none: client('none', ANONYMOUS),
      invalid: client('invalid', createInvalidCredentials(scheme)),
    },
  };
}

function createInvalidCredentials(scheme: Credentials['scheme']): Credentials {
  const value = `${scheme === 'basic' ? 'Basic' : 'Bearer'} ${randomUUID().replaceAll('-', '')}`;
  return { scheme, authorization: async () => value };
}
