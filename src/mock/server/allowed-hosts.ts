/** Checks the host names that the museum allows. */
import { isIP } from 'node:net';
import type { ResolvedOptions } from '../options.js';

/** Whether the `Host` header of a request is allowed. A missing header is allowed, because such a request does not come from a browser. */
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
