/** Requests as curl commands for a POSIX shell, with variables in place of credentials. */
import type { Credentials } from '../../client/credentials.js';
import type { HttpRequest } from '../../client/http-request.js';
import { percentEncode } from '../../service/percent-encoding.js';
import { formatShellWord, quoteWord } from '../description/shell-words.js';

/** The header of each scheme (INTERFACE.md "Authentication"), its secret a variable of the shell. */
const AUTHORIZATION: Readonly<Record<Credentials['scheme'], readonly string[]>> = {
  bearer: ['-H "Authorization: Bearer $OPAC_ACCESS_TOKEN"'],
  basic: ['-H "Authorization: Basic $OPAC_BASIC_KEY"'],
  anonymous: [],
};

export function curlCommand(
  baseUrl: string,
  scheme: Credentials['scheme'],
  { path, query = [] }: Pick<HttpRequest, 'path' | 'query'>,
): string {
  const url = `${baseUrl}/api/v3${path}`;
  return [
    'curl -sS --compressed',
    // curl reads them as ranges and lists.
    ...(/[[\]{}]/.test(url) ? ['-g'] : []),
    ...(query.length > 0 ? ['-G'] : []),
    quoteWord(url),
    ...AUTHORIZATION[scheme],
    ...query.map(([name, value]) => parameter(name, value)),
  ].join(' ');
}

export function parameter(name: string, value: string): string {
  const pair = `${percentEncode(name)}=${value}`;
  return /^[\w.-]*$/.test(value) ? `-d ${formatShellWord(pair)}` : `--data-urlencode ${quoteWord(pair)}`;
}
