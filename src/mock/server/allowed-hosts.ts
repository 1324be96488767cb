/** The names that the museum answers to. */
import { isIP } from 'node:net';
import type { ResolvedOptions } from '../options.js';

/** Whether a request is for this server, by its `Host` header; only old programs send none. */
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
