/** Finds the name of the deployment for manifests and reports. */
import type { Context } from '../../context.js';

/** Returns the base URL or `the built-in museum`. With `--from`, returns the name in the first manifest, if any. */
export async function getDeploymentName({
  globalOptions,
  files,
  client,
}: Context): Promise<string | undefined> {
  if (globalOptions.from.length > 0) return (await files()).deployment;
  // The port of the museum changes with every run, so its URL is not a useful name.
  return globalOptions.mock ? 'the built-in museum' : (await client()).baseUrl;
}
