/** The environment variables that opac reads, for the help. */
import { SETTINGS } from './settings.js';

export const OPAC_VARIABLES: readonly (readonly [name: string, effect: string])[] = [
  ['OPAC_PROFILE', 'the profile to use, like --profile'],
  ['OPAC_BASE_URL', 'the URL of the deployment, like --base-url'],
  ['OPAC_BASIC_KEY', 'the basic key (secret)'],
  ['OPAC_ACCESS_TOKEN', 'the access token (secret); takes precedence over a basic key'],
  [
    'OPAC_CLIENT_ID',
    'the client id of an API key; to request a token, opac needs this variable and the next two',
  ],
  ['OPAC_CLIENT_SECRET', 'the client secret of the API key (secret)'],
  ['OPAC_REDIRECT_URI', 'the redirect URI that is registered for the API key'],
  ['OPAC_CONFIG_DIR', 'folder for profiles; required if there is neither a home folder nor XDG_CONFIG_HOME'],
  ['OPAC_ERROR_FORMAT', 'text or json, like --error-format'],
  ...SETTINGS.map(({ variable, key, summary, default: value }): [string, string] => [
    variable,
    `${value === 'no' ? 'yes or no: ' : ''}${summary}, like --${key} (default: ${value})`,
  ]),
];

const SECRET_VARIABLES = ['OPAC_CLIENT_SECRET', 'OPAC_ACCESS_TOKEN', 'OPAC_BASIC_KEY'];

export function listSecrets(environment: NodeJS.ProcessEnv): readonly (string | undefined)[] {
  return SECRET_VARIABLES.map((name) => environment[name]);
}

/** Returns the environment for other programs, without secrets. Ignores the case of names, as Windows does. */
export function withoutSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const rows = Object.entries(environment);
  // An unknown name may be the misspelt name of a secret.
  const isSecret = (name: string) =>
    SECRET_VARIABLES.includes(name) || /^OPAC_.*(?:KEY|TOKEN|SECRET)/.test(name);
  return Object.fromEntries(rows.filter(([name]) => !isSecret(name.toUpperCase())));
}

/** Variables of other programs that also affect opac. */
export const FOREIGN_VARIABLES: typeof OPAC_VARIABLES = [
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxies; the names can be in lower case; not used for localhost'],
  ['NODE_EXTRA_CA_CERTS', 'file of certificates to trust'],
  ['NO_COLOR, FORCE_COLOR', 'NO_COLOR turns colours off; FORCE_COLOR turns them on, even in a pipe'],
  ['TERM, COLORTERM, COLUMNS', 'capabilities of the terminal; COLUMNS overrides its width'],
  [
    'LC_ALL, LC_CTYPE, LANG',
    'whether the terminal can show non-ASCII characters; machine-readable formats are not affected',
  ],
  ['CI', 'if set, opac draws no progress bars (0 and false count as not set)'],
  ['TMPDIR', 'folder for temporary files'],
  ['XDG_CONFIG_HOME', 'on Linux, the parent of the folder for profiles, if OPAC_CONFIG_DIR is not set'],
];

/** Returns the names that begin with `OPAC_`, but that opac does not read. Ignores variables without a value. */
export function findUnknownVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = new Set(OPAC_VARIABLES.map(([name]) => name));
  // The names of variables are not case-sensitive on Windows.
  const normalize = (name: string) => (process.platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(environment).filter(
    (name) => name.toUpperCase().startsWith('OPAC_') && environment[name] && !known.has(normalize(name)),
  );
}
