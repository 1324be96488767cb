/** `opac login`: creates or updates a profile. */
import { CHALLENGE_FORMS } from '../../../auth/flow/pkce.js';
import { LOGIN_METHODS, METHOD_HELP } from '../../../auth/login/method-names.js';
import { UsageError } from '../../../service/errors.js';
import { defineCommand } from '../../description/command.js';
import { inGroup, type OptionDescription } from '../../description/option.js';
import { duration } from '../../options/parse.js';
import { formatDuration } from '../../output/terminal/numbers.js';

const METHODS = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const OPTIONS = [
  ...inGroup('Login method:', [
    {
      flags: '--method <name>',
      summary: METHODS.format(Object.values(METHOD_HELP)),
      defaultText: 'chosen automatically',
      choices: LOGIN_METHODS,
      conflicts: ['--basic-key', '--anonymous'],
    },
    {
      flags: '--browser-timeout <duration>',
      summary: 'wait up to this long for the browser, such as 90s or 10m',
      defaultText: '5m',
      parse: duration,
    },
    {
      flags: '--basic-key [key]',
      summary: 'use a basic key from a prompt or standard input (env: OPAC_BASIC_KEY)',
    },
    { flags: '--anonymous', summary: 'log in without credentials', conflicts: ['--basic-key'] },
  ]),
  ...inGroup('API key:', [
    {
      flags: '--client-id <id>',
      summary: 'id of the API key (env: OPAC_CLIENT_ID); prompts for its secret (env: OPAC_CLIENT_SECRET)',
    },
    { flags: '--redirect-uri <uri>', summary: 'registered redirect URI (env: OPAC_REDIRECT_URI)' },
    {
      flags: '--challenge <form>',
      summary: `form of the PKCE challenge: ${CHALLENGE_FORMS.join(', ')}`,
      defaultText: `the one saved in the profile, otherwise ${CHALLENGE_FORMS[0]}`,
      choices: CHALLENGE_FORMS,
    },
  ]),
  ...inGroup('Saved settings:', [
    {
      flags: '--remember-secret',
      summary: 'save the client secret in the system keyring, to renew tokens without a prompt',
    },
    {
      flags: '--insecure-storage',
      summary:
        'without a system keyring, save the client secret as plain text in the profile file (readable only by you)',
    },
    {
      flags: '--public-page <pattern>',
      summary: 'URL pattern of public pages for "opac open": https://…/{kind}/{id}',
    },
  ]),
  // This option exists only to explain why it is not allowed.
  {
    flags: '--client-secret [secret]',
    summary: 'not allowed: pass secrets by prompt, standard input or environment',
    hidden: true,
  },
] as const satisfies readonly OptionDescription[];

export const commands = [
  defineCommand({
    name: 'login',
    summary: 'log in to a deployment and save it as a profile',
    options: OPTIONS,
    examples: {
      'try the login with the built-in museum; opac saves nothing': 'opac login --mock',
      'log in with the browser':
        'opac login --base-url https://collection.example.org --client-id abc --redirect-uri http://127.0.0.1:8765/callback',
      'log in on a server, with an API key from variables':
        'opac login -p museum --base-url https://collection.example.org --method headless',
      'log in with a basic key from a file':
        'opac login --base-url https://collection.example.org --basic-key < key.txt',
    },
    endpoints: ['oauth.authorize', 'oauth.token', 'records.search'],
    dryRun: 'refused',
    output: 'nothing',
    parse: ({ basicKey, anonymous, clientSecret, redirectUri, challenge, browserTimeout, ...input }) => {
      if (clientSecret !== undefined) throw createSecretArgumentError('client secret', 'OPAC_CLIENT_SECRET');
      if (typeof basicKey === 'string') throw createSecretArgumentError('basic key', 'OPAC_BASIC_KEY');
      return {
        ...input,
        scheme: basicKey ? ('basic' as const) : anonymous ? ('anonymous' as const) : ('bearer' as const),
        redirectURI: redirectUri,
        challengeForm: challenge,
        timeout: browserTimeout,
      };
    },
    async run(context, loginOptions) {
      const [{ login }, { createLoginDependencies }] = await Promise.all([
        import('../../../auth/login.js'),
        import('./create-login-dependencies.js'),
      ]);
      const { options, dependencies } = await createLoginDependencies(context, loginOptions);
      const { profile, baseUrl, scheme, method, expires, elapsed, file } = await login(options, dependencies);
      const validity = expires
        ? `; the token is valid for ${formatDuration((expires.getTime() - context.now()) / 1000)}`
        : '';
      context.note(
        `logged in to ${baseUrl} (${method ?? scheme})${validity}; response time ${Math.round(elapsed)} ms`,
      );
      if (!context.globalOptions.mock)
        context.note(`saved as profile "${profile}" in ${file}; commands now use this profile`);
    },
  }),
];

function createSecretArgumentError(what: string, variable: string): UsageError {
  return new UsageError(
    `do not pass the ${what} as an argument: it would be visible in process lists and the shell history`,
    `type it when prompted, pipe it in, or set ${variable}`,
  );
}
