/** Which proxy the environment names for an address, by the usual variables. */
import { UsageError } from '../../service/errors.js';
import { isLoopback } from '../base-url.js';

/** The environment of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * The proxies for an origin, or undefined when it is reached directly: no variable is set, or it is this machine, which no
 * proxy can reach. Lower case wins over upper case, as in curl. A value without a scheme means http.
 * Throws a UsageError that names the variable (never its value, which may hold a password) when it is no address.
 */
export function proxiesFor(origin: string, environment: Environment): Proxies | undefined {
  const httpProxy = address('HTTP_PROXY', environment);
  const httpsProxy = address('HTTPS_PROXY', environment);
  if ((!httpProxy && !httpsProxy) || isLoopback(new URL(origin).hostname)) return undefined;
  // undici would fall back to HTTP_PROXY for https; every other tool goes directly then.
  if (!httpsProxy && origin.startsWith('https:')) return undefined;
  return { httpProxy, httpsProxy, noProxy: variable('NO_PROXY', environment) };
}

function variable(name: string, environment: Environment): string {
  return environment[name.toLowerCase()] ?? environment[name] ?? '';
}

function address(name: string, environment: Environment): string {
  const value = variable(name, environment).trim();
  if (!value) return '';
  const url = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(url)) {
    throw new UsageError(`${name} is not the address of a proxy`, 'write it as in http://proxy.example:8080');
  }
  return url;
}
