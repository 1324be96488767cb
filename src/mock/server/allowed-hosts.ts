/** Checks the Host header of a request. `MuseumOptions.allowHosts` explains the reason. */
import { isIP } from 'node:net';
import type { ResolvedOptions } from '../options.js';

/** Also allows a request without a Host header. It cannot come from a browser, because browsers always send this header. */
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
