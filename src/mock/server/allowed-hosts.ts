/** Checks the host names that the museum allows. */
import { isIP } from 'node:net';
import type { ResolvedOptions } from '../options.js';

/** A request without the header does not come from a browser, so it is allowed. */
export function isAllowedHost(
  header: string | undefined,
  { host, allowHosts }: Pick<ResolvedOptions, 'host' | 'allowHosts'>,
): boolean {
  if (header === undefined) return true;
  const name = header
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
  return isIP(name) !== 0 || ['localhost', host, ...allowHosts].some((each) => each.toLowerCase() === name);
}
