/** Parses the registered redirect URI, and decides whether this machine can listen on it. */
import { UsageError } from '../../service/errors.js';

/** A redirect URI on the loopback interface (RFC 8252 section 7.3). */
export interface LoopbackRedirect {
  readonly addresses: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly url: URL;
}

function loopbackAddresses(hostname: string): readonly string[] {
  if (hostname === 'localhost') return ['127.0.0.1', '::1'];
  if (hostname === '[::1]') return ['::1'];
  return /^127(\.\d+){3}$/.test(hostname) ? [hostname] : [];
}

/** Throws a UsageError for a URI that is not absolute or has a fragment (RFC 6749 section 3.1.2). */
export function parseRedirectURI(text: string): URL {
  const hint =
    'use the redirect URI that is registered with the API key, for example http://127.0.0.1:8765/callback';
  if (!URL.canParse(text)) throw new UsageError(`invalid redirect URI ${JSON.stringify(text)}`, hint);
  if (text.includes('#')) throw new UsageError(`invalid redirect URI "${text}": it has a fragment`, hint);
  return new URL(text);
}

/** Returns undefined if the URI is not an http URL of this machine, or has port 0. Throws a UsageError for an invalid URI. */
export function parseLoopbackRedirect(redirectURI: string): LoopbackRedirect | undefined {
  const url = parseRedirectURI(redirectURI);
  const addresses = loopbackAddresses(url.hostname);
  if (url.protocol !== 'http:' || addresses.length === 0) return undefined;
  const port = url.port === '' ? 80 : Number(url.port);
  // Port 0 means any free port, so it cannot be the registered port.
  return port === 0 ? undefined : { addresses, port, host: url.host.toLowerCase(), url };
}
