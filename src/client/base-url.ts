/** Where a deployment is: what people paste, made into one form. */
import { UsageError } from '../service/errors.js';

const EXAMPLE = 'give the address as in https://museum.example';

/**
 * Reads the address of a deployment, with or without `/api/v3` (or an older version) and a trailing slash; folders above it
 * are kept. Gives `https://host[:port][/folder]`.
 * Throws a UsageError for what is no http address, for credentials or a query in it, and for plain http to another machine
 * unless `allowHttp`, because credentials would cross the network readable.
 */
export function parseBaseUrl(text: string, options: { readonly allowHttp?: boolean } = {}): string {
  const url = parse(text.trim());
  if (url.username || url.password) {
    throw new UsageError(
      'the base URL holds a user name or password',
      `${EXAMPLE}, and log in with "opac login"`,
    );
  }
  if (url.search || url.hash) throw new UsageError('the base URL holds a query', EXAMPLE);
  if (url.protocol === 'http:' && !options.allowHttp && !isLoopback(url.hostname)) {
    throw new UsageError(
      `the base URL is plain http, over which anyone between here and ${url.host} can read the credentials`,
      'use https, or --allow-http when the network is safe',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/api(\/v\d+)?$/i, '')}`.replace(
    /\/+$/,
    '',
  );
}

/** Whether a URL's host name means this machine: `localhost` (RFC 6761 section 6.3), 127.0.0.0/8 or ::1. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

function parse(text: string): URL {
  if (!/^https?:\/\//i.test(text)) {
    const guess =
      URL.canParse(`https://${text}`) && !text.includes('://') ? `did you mean "https://${text}"?` : EXAMPLE;
    // What was typed may be a whole URL of another scheme with a password in it: only a bare name is repeated.
    throw new UsageError(
      'the base URL does not begin with https:// or http://',
      text.includes('@') ? EXAMPLE : guess,
    );
  }
  if (!URL.canParse(text)) throw new UsageError('the base URL is not an address', EXAMPLE);
  return new URL(text);
}
