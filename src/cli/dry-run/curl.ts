/** Requests as curl commands for a POSIX shell, with variables in place of credentials. */
import type { Credentials } from '../../client/credentials.js';
import type { Request } from '../../client/exchange.js';

/** The header of each scheme (INTERFACE.md "Authentication"), its secret a variable of the shell. */
const AUTHORIZATION: Readonly<Record<Credentials['scheme'], readonly string[]>> = {
  bearer: ['-H "Authorization: Bearer $OPAC_ACCESS_TOKEN"'],
  basic: ['-H "Authorization: Basic $OPAC_BASIC_KEY"'],
  anonymous: [],
};

/** The command that sends a GET request of the service: `curl -sS --compressed -G 'https://…' -d limit=20`. */
export function curlCommand(
  baseUrl: string,
  scheme: Credentials['scheme'],
  { path, query = [] }: Pick<Request, 'path' | 'query'>,
): string {
  const url = `${baseUrl}/api/v3${path}`;
  return [
    'curl -sS --compressed',
    // curl would take these for ranges and lists of its own.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(query.length > 0 ? ['-G'] : []),
    quoted(url),
    ...AUTHORIZATION[scheme],
    ...query.map(([name, value]) => parameter(name, value)),
  ].join(' ');
}

/** A parameter of the query; curl encodes what must be encoded. */
export function parameter(name: string, value: string): string {
  const pair = `${encodeURIComponent(name)}=${value}`;
  return /^[\w.~-]*$/.test(value) ? `-d ${word(pair)}` : `--data-urlencode ${quoted(pair)}`;
}

/** Text as one word of a POSIX shell, whatever it holds (POSIX.1-2017, Shell Command Language, 2.2.2). */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The same without quotes where none are needed. */
function word(text: string): string {
  return /^[\w.~=/:-]+$/.test(text) ? text : quoted(text);
}
