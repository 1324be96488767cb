/** Connects the clients of the checks. */
import { CHECK_RETRIES, createCheckedDeployment } from '../../../check/checked-deployment.js';
import type { CheckedDeployment } from '../../../check/probe/probe.js';
import { Recorder } from '../../../check/probe/recorder.js';
import { createDeploymentClient, openDeployment } from '../../connect.js';
import type { Context } from '../../context.js';
import { formatCurlCommand } from '../../dry-run/curl.js';

export async function connectChecks(context: Context): Promise<CheckedDeployment> {
  const { globalOptions, signal } = context;
  const found = await openDeployment(context);
  const { scheme } = found;
  const recorder = new Recorder((request, caller) =>
    formatCurlCommand(found.baseUrl, caller === 'none' ? 'anonymous' : scheme, request).replace(
      caller === 'invalid' ? /\$OPAC_\w+/ : /$^/,
      'wrong',
    ),
  );
  const retries = globalOptions.retries ?? CHECK_RETRIES;
  return createCheckedDeployment(scheme, recorder, signal, (options) =>
    createDeploymentClient(context, found, { retries, ...options }),
  );
}
