/** Parses base URLs, and recognizes host names of this machine. */
import { UsageError } from '../service/errors.js';

const EXAMPLE = 'use a URL like https://museum.example';

/** Returns `https://host[:port][/folder]`, without `/api/v3`. Throws a UsageError for an invalid or insecure URL. */
export function parseBaseUrl(text: string, options: { readonly allowHttp?: boolean } = {}): string {
  const url = parse(text.trim());
  if (url.username || url.password) {
    throw new UsageError(
      'the base URL contains a user name or password',
      `${EXAMPLE}, and log in with "opac login"`,
    );
  }
  if (url.search || url.hash)
    throw new UsageError('the base URL contains a query (?) or a fragment (#)', EXAMPLE);
  if (url.protocol === 'http:' && !options.allowHttp && !isLoopback(url.hostname)) {
    throw new UsageError(
      `the base URL is plain http: anyone between here and ${url.host} can read the credentials`,
      'use https, or add --allow-http if you trust the network',
    );
  }
  const trim = (path: string) => path.replace(/(?<!\/)\/+$/, '');
  return url.origin + trim(trim(url.pathname).replace(/\/api(\/v\d+)?$/i, ''));
}

/** Returns true for `localhost` and its subdomains (RFC 6761 section 6.3), 127.0.0.0/8 and `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

function parse(text: string): URL {
  if (!/^https?:\/\//i.test(text)) {
    const [name = ''] = text.split(/[:/]/, 1);
    const usual = isLoopback(name) ? 'http' : 'https';
    const [, scheme = usual, host = text] = /^(https?):(?:\/|(?=\D))(.+)$/i.exec(text) ?? [];
    const meant = `${scheme}://${host}`;
    const guess = URL.canParse(meant) && !text.includes('://') ? `did you mean "${meant}"?` : EXAMPLE;
    // A text with `@` may contain a password, so the hint does not repeat it.
    throw new UsageError(
      'the base URL must begin with https:// or http://',
      text.includes('@') ? EXAMPLE : guess,
    );
  }
  if (!URL.canParse(text)) throw new UsageError('the base URL is not a valid URL', EXAMPLE);
  return new URL(text);
}
