/** The environment variables that the program reads, for the help. */
import { SETTINGS } from './settings.js';

/** Each variable with its effect, in the order of the help. */
export const VARIABLES: readonly (readonly [name: string, effect: string])[] = [
  ['OPAC_PROFILE', 'the profile to use, as --profile'],
  ['OPAC_BASE_URL', 'the URL of the deployment, as --base-url'],
  ['OPAC_BASIC_KEY', 'the basic key; secret'],
  ['OPAC_ACCESS_TOKEN', 'an access token; secret. It goes before a basic key'],
  ['OPAC_CLIENT_ID', 'the client id of an API key, with the two below: a token is requested when needed'],
  ['OPAC_CLIENT_SECRET', 'its client secret; secret'],
  ['OPAC_REDIRECT_URI', 'the redirect URI registered with it'],
  ['OPAC_CONFIG_DIR', 'the folder of profiles; enough where there is no home'],
  ['OPAC_ERROR_FORMAT', 'text or json, as --error-format'],
  ...SETTINGS.map(({ variable, key, summary, default: usual }): [string, string] => [
    variable,
    `${usual === 'no' ? 'yes or no: ' : ''}${summary}, as --${key} (default: ${usual})`,
  ]),
];

/** Those of other programs that have an effect here too. */
export const USUAL_VARIABLES: typeof VARIABLES = [
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'proxies, as for curl; never for loopback'],
  ['NODE_EXTRA_CA_CERTS', 'a file of certificates to trust'],
  ['NO_COLOR, FORCE_COLOR', 'no colours; colours in a pipe too'],
  ['TERM, COLORTERM, COLUMNS', 'what the terminal shows, and its width where it does not say'],
  [
    'LC_ALL, LC_CTYPE, LANG',
    'whether the terminal shows more than ASCII; formats for programs do not change',
  ],
  ['CI', 'true: no progress bars'],
  ['TMPDIR', 'the folder of temporary files'],
  ['XDG_CONFIG_HOME', 'the folder of profiles without OPAC_CONFIG_DIR'],
];

/** The variables that begin as ours do, hold something, and are none of ours. */
export function unknownVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = new Set(VARIABLES.map(([name]) => name));
  // Windows finds a variable whatever the case.
  const spelt = (name: string) => (process.platform === 'win32' ? name.toUpperCase() : name);
  return Object.keys(environment).filter(
    (name) => name.toUpperCase().startsWith('OPAC_') && environment[name] && !known.has(spelt(name)),
  );
}
