/** The registered redirect URI, and whether this machine can listen at it. */
import { UsageError } from '../../service/errors.js';

/** Where to listen for a redirect. */
export interface ListenPlace {
  /** Addresses of this machine to bind, the first one without fail. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** What the Host header must say, in lower case. */
  readonly host: string;
  readonly url: URL;
}

/** The addresses behind the host names of a redirect URI; nothing but loopback is ever bound. */
function loopbackAddresses(hostname: string): readonly string[] {
  if (hostname === 'localhost') return ['127.0.0.1', '::1'];
  if (hostname === '[::1]') return ['::1'];
  return /^127(\.\d+){3}$/.test(hostname) ? [hostname] : [];
}

/** Reads a redirect URI. Throws a UsageError when it is no absolute URI or has a fragment (RFC 6749 section 3.1.2). */
export function parseRedirectURI(text: string): URL {
  const hint = 'it must be given as registered with the API key, as in http://127.0.0.1:8765/callback';
  if (!URL.canParse(text))
    throw new UsageError(`the redirect URI ${JSON.stringify(text)} is no address`, hint);
  if (text.includes('#')) throw new UsageError(`the redirect URI "${text}" has a fragment`, hint);
  return new URL(text);
}

/** Where to listen for the redirect, or undefined when it does not lead to this machine over plain http with a port. */
export function listenPlace(redirectURI: string): ListenPlace | undefined {
  const url = parseRedirectURI(redirectURI);
  const addresses = loopbackAddresses(url.hostname);
  if (url.protocol !== 'http:' || addresses.length === 0) return undefined;
  const port = url.port === '' ? 80 : Number(url.port);
  // Port 0 would be any port, which cannot be the registered one.
  return port === 0 ? undefined : { addresses, port, host: url.host.toLowerCase(), url };
}
