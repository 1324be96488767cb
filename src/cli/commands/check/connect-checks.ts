/** From the settings to what checks ask: the deployment with the credentials of the user, with none and with invalid ones, all requests recorded. */
import { randomUUID } from 'node:crypto';
import type { CheckedDeployment } from '../../../check/probe/probe.js';
import { type CredentialsKind, Recorder } from '../../../check/probe/recorder.js';
import { ANONYMOUS, type Credentials } from '../../../client/credentials.js';
import { createDeploymentClient, openDeployment } from '../../connect.js';
import type { Context } from '../../context.js';
import { formatCurlCommand } from '../../dry-run/curl.js';

/** A second try shows what is flaky; more of them would hide how bad it is. */
const RETRIES = 1;

export async function connectChecks(context: Context): Promise<CheckedDeployment> {
  const { globalOptions, signal } = context;
  const found = await openDeployment(context);
  // A token is only told from a key by its scheme, so invalid credentials have the scheme of the user.
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

/** Credentials of the right form that were never given out. */
function createInvalidCredentials(scheme: Credentials['scheme']): Credentials {
  const value = `${scheme === 'basic' ? 'Basic' : 'Bearer'} ${randomUUID().replaceAll('-', '')}`;
  return { scheme, authorization: async () => value };
}
