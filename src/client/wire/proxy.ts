/** Which proxy the environment names for an address, by the usual variables. */
import { UsageError } from '../../service/errors.js';
import { keepSecret } from '../../service/redact.js';
import { isLoopback } from '../base-url.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Undefined to connect directly. Lower case wins, as in curl. Throws a UsageError without the value: it may be a secret. */
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
    throw new UsageError(`${name} is not the address of a proxy`, 'use the form http://proxy.example:8080');
  }
  keepSecret(decoded(new URL(url).password));
  return url;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
