/** The environment variables that opac reads, for the help. */
import { SETTINGS } from './settings.js';

/** Each variable with its effect, in the order of the help. */
export const OPAC_VARIABLES: readonly (readonly [name: string, effect: string])[] = [
  ['OPAC_PROFILE', 'the profile to use, like --profile'],
  ['OPAC_BASE_URL', 'the URL of the deployment, like --base-url'],
  ['OPAC_BASIC_KEY', 'the basic key (secret)'],
  ['OPAC_ACCESS_TOKEN', 'access token (secret); takes precedence over a basic key'],
  [
    'OPAC_CLIENT_ID',
    'the client id of an API key; with the next two variables, opac requests a token when needed',
  ],
  ['OPAC_CLIENT_SECRET', 'the client secret of the API key (secret)'],
  ['OPAC_REDIRECT_URI', 'the redirect URI that is registered for the API key'],
  ['OPAC_CONFIG_DIR', 'folder for profiles; needed without a home folder'],
  ['OPAC_ERROR_FORMAT', 'text or json, like --error-format'],
  ...SETTINGS.map(({ variable, key, summary, default: value }): [string, string] => [
    variable,
    `${value === 'no' ? 'yes or no: ' : ''}${summary}, like --${key} (default: ${value})`,
  ]),
];

/** Variables of other programs that also affect opac. */
export const FOREIGN_VARIABLES: typeof OPAC_VARIABLES = [
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxies, as for curl; never for loopback'],
  ['NODE_EXTRA_CA_CERTS', 'file of certificates to trust'],
  ['NO_COLOR, FORCE_COLOR', 'turn colours off; turn colours on even in a pipe'],
  ['TERM, COLORTERM, COLUMNS', 'abilities of the terminal; width, if the terminal does not report it'],
  [
    'LC_ALL, LC_CTYPE, LANG',
    'whether the terminal can show non-ASCII characters; machine-readable formats are not affected',
  ],
  ['CI', 'true: no progress bars'],
  ['TMPDIR', 'folder for temporary files'],
  ['XDG_CONFIG_HOME', 'folder for profiles, if OPAC_CONFIG_DIR is not set'],
];

/** Variables that start with OPAC_ and have a value, but are not variables of opac. */
export function findUnknownVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = new Set(OPAC_VARIABLES.map(([name]) => name));
  // The names of variables are not case-sensitive on Windows.
  const normalize = (name: string) => (process.platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(environment).filter(
    (name) => name.toUpperCase().startsWith('OPAC_') && environment[name] && !known.has(normalize(name)),
  );
}
