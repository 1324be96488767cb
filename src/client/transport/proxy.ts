/** Which proxy the environment names for an address, by the usual variables. */
import { UsageError } from '../../service/errors.js';
import { percentDecoded } from '../../service/percent-encoding.js';
import { registerSecret } from '../../service/redact.js';
import { isLoopback } from '../base-url.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxySettings {
  /** The variable that names it. */
  readonly variable: 'HTTP_PROXY' | 'HTTPS_PROXY';
  readonly url: string;
  /** Hosts that are connected to directly. */
  readonly noProxy: string;
}

/**
 * Undefined to connect directly. Lower case wins, and https never goes through HTTP_PROXY, as in curl. Throws a UsageError
 * without the value: it may be a secret.
 */
export function findProxy(origin: string, environment: Environment): ProxySettings | undefined {
  if (isLoopback(new URL(origin).hostname)) return undefined;
  const name = origin.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const url = address(name, environment);
  return url === undefined ? undefined : { variable: name, url, noProxy: valueIn('NO_PROXY', environment) };
}

function valueIn(name: string, environment: Environment): string {
  return environment[name.toLowerCase()] ?? environment[name] ?? '';
}

function address(name: string, environment: Environment): string | undefined {
  const value = valueIn(name, environment).trim();
  if (!value) return undefined;
  const url = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw new UsageError(
      `${name} is not the address of an http or https proxy`,
      'use the form http://proxy.example:8080',
    );
  }
  registerSecret(percentDecoded(new URL(url).password));
  return url;
}
