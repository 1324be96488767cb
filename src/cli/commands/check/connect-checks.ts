/** Creates the clients of the checks: with the user's credentials, without credentials and with invalid ones. */
import { randomUUID } from 'node:crypto';
import type { CheckedDeployment } from '../../../check/probe/probe.js';
import { type CredentialsKind, Recorder } from '../../../check/probe/recorder.js';
import { ANONYMOUS, type Credentials } from '../../../client/credentials.js';
import { createDeploymentClient, openDeployment } from '../../connect.js';
import type { Context } from '../../context.js';
import { formatCurlCommand } from '../../dry-run/curl.js';

/** One retry shows unreliable endpoints. More retries would hide them. */
const RETRIES = 1;

export async function connectChecks(context: Context): Promise<CheckedDeployment> {
  const { globalOptions, signal } = context;
  const found = await openDeployment(context);
  // Invalid credentials have the scheme of the user's credentials.
  const scheme = found.scheme;
  const recorder = new Recorder((request, caller) =>
    formatCurlCommand(found.baseUrl, caller === 'none' ? 'anonymous' : scheme, request).replace(
      caller === 'invalid' ? /\$OPAC_\w+/ : /$^/,
      'wrong',
    ),
  );
  const client = (caller: CredentialsKind, credentials?: Credentials) =>
    createDeploymentClient(context, found, {
      ...(credentials && { credentials }),
      retries: globalOptions.retries ?? RETRIES,
      wrapTransport: recorder.withRecording(caller),
    });
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

/** Credentials that look valid but that the service never issued. */
function createInvalidCredentials(scheme: Credentials['scheme']): Credentials {
  const value = `${scheme === 'basic' ? 'Basic' : 'Bearer'} ${randomUUID().replaceAll('-', '')}`;
  return { scheme, authorization: async () => value };
}
