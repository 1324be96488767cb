/** From the settings to what checks ask: the deployment as its user, as nobody and as a stranger, all of it recorded. */
import { randomUUID } from 'node:crypto';
import type { Deployment as CheckedDeployment } from '../../../check/probe/probe.js';
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
  // A token is only told from a key by its scheme, so a stranger comes with that of the user.
  const scheme = found.scheme;
  const recorder = new Recorder((request, caller) =>
    formatCurlCommand(found.baseUrl, caller === 'nobody' ? 'anonymous' : scheme, request).replace(
      caller === 'stranger' ? /\$OPAC_\w+/ : /$^/,
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
      nobody: client('nobody', ANONYMOUS),
      stranger: client('stranger', createInvalidCredentials(scheme)),
    },
  };
}

/** Credentials of the right form that were never given out. */
function createInvalidCredentials(scheme: Credentials['scheme']): Credentials {
  const value = `${scheme === 'basic' ? 'Basic' : 'Bearer'} ${randomUUID().replaceAll('-', '')}`;
  return { scheme, authorization: async () => value };
}
