/** Reads the proxy for a URL from the usual environment variables. */
import { UsageError } from '../../service/errors.js';
import { percentDecoded } from '../../service/percent-encoding.js';
import { registerSecret } from '../../service/redact.js';
import { isLoopback } from '../base-url.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProxySettings {
  readonly variable: string;
  readonly url: string;
  readonly noProxy: string;
}

/** As in curl, lower-case names take precedence, and https never uses HTTP_PROXY. Throws a UsageError for an invalid value. */
export function findProxy(origin: string, environment: Environment): ProxySettings | undefined {
  if (isLoopback(new URL(origin).hostname)) return undefined;
  const name = findVariable(origin.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY', environment);
  const value = environment[name]?.trim();
  if (!value) return undefined;
  const url = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    // The message does not contain the value, because the value may contain a password.
    throw new UsageError(
      `${name} is not the URL of an http or https proxy`,
      'use the form http://proxy.example:8080',
    );
  }
  registerSecret(percentDecoded(new URL(url).password));
  return { variable: name, url, noProxy: environment[findVariable('NO_PROXY', environment)] ?? '' };
}

function findVariable(name: string, environment: Environment): string {
  const lowerCase = name.toLowerCase();
  return environment[lowerCase] === undefined ? name : lowerCase;
}
