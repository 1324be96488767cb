/** `opac login`: creates a profile, with a token, a basic key or no credentials at all. */

import { CHALLENGE_FORMS } from '../../auth/flow/pkce.js';
import { LOGIN_METHODS, METHOD_HELP } from '../../auth/login/method.js';
import { UsageError } from '../../service/errors.js';
import { command } from '../command/command.js';
import type { OptionDescription } from '../command/option.js';
import { choiceOption, flagOption, numberOption, stringOption } from '../options/read.js';

const WAYS = 'Ways to log in:';
const CLIENT = 'Client of the deployment:';
const KEEPING = 'What is kept:';

const METHODS = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const OPTIONS: readonly OptionDescription[] = [
  {
    group: WAYS,
    flags: '--method <name>',
    summary: METHODS.format(Object.values(METHOD_HELP)),
    default: 'what fits this machine',
    choices: LOGIN_METHODS,
  },
  { group: WAYS, flags: '--wait <seconds>', summary: 'how long to wait for the browser', default: 300 },
  {
    group: WAYS,
    flags: '--basic-key [key]',
    summary: 'use a basic key, typed or from standard input (env: OPAC_BASIC_KEY)',
  },
  { group: WAYS, flags: '--anonymous', summary: 'use no credentials' },
  {
    group: CLIENT,
    flags: '--client-id <id>',
    summary: 'id of the API key (env: OPAC_CLIENT_ID); prompts for its secret (env: OPAC_CLIENT_SECRET)',
  },
  {
    group: CLIENT,
    flags: '--redirect-uri <uri>',
    summary: 'registered redirect URI (env: OPAC_REDIRECT_URI)',
  },
  {
    group: CLIENT,
    flags: '--challenge <form>',
    summary: CHALLENGE_FORMS.join(', '),
    default: 'what the deployment accepted before',
    choices: CHALLENGE_FORMS,
  },
  {
    group: KEEPING,
    flags: '--remember-secret',
    summary: 'save the client secret in the system keyring, to renew tokens without a prompt',
  },
  {
    group: KEEPING,
    flags: '--insecure-storage',
    summary: 'without a keyring, save it in the profile file, which only you can read',
  },
  {
    group: KEEPING,
    flags: '--public-page <pattern>',
    summary: 'URL pattern of public pages for "opac open": https://…/{kind}/{id}',
  },
  // Declared only to be refused with the reason.
  { flags: '--client-secret [secret]', summary: 'refused: a secret is never an argument', hidden: true },
];

export const commands = [
  command({
    name: 'login',
    summary: 'log in to a deployment and save it as a profile',
    options: OPTIONS,
    examples: [
      { purpose: 'try it with the built-in museum; nothing is saved', command: 'opac login --mock' },
      {
        purpose: 'log in with the browser',
        command:
          'opac login --base-url https://collection.example.org --client-id abc --redirect-uri http://127.0.0.1:8765/callback',
      },
      {
        purpose: 'log in on a server, with the secret in OPAC_CLIENT_SECRET',
        command: 'opac login -p museum --base-url https://collection.example.org --method headless',
      },
      {
        purpose: 'log in with a basic key from a file',
        command: 'opac login --base-url https://collection.example.org --basic-key < key.txt',
      },
    ],
    endpoints: ['oauth.authorize', 'oauth.token', 'records.search'],
    dryRun: 'refused',
    output: 'none',
    parse: ({ options, arguments: surplus }) => {
      // Not repeated: it may be a secret.
      if (surplus.length > 0)
        throw new UsageError('login accepts no arguments', 'name the deployment with --base-url');
      if (options.clientSecret !== undefined) throw secretArgument('client secret', 'OPAC_CLIENT_SECRET');
      if (typeof options.basicKey === 'string') throw secretArgument('basic key', 'OPAC_BASIC_KEY');
      const basic = options.basicKey === true;
      const anonymous = flagOption(options, 'anonymous');
      const method = choiceOption(options, 'method', LOGIN_METHODS);
      if ((basic && anonymous) || ((basic || anonymous) && method !== undefined)) {
        throw new UsageError('--basic-key, --anonymous and --method cannot be used together', 'choose one');
      }
      const wait = numberOption(options, 'wait');
      return {
        method,
        scheme: basic ? ('basic' as const) : anonymous ? ('anonymous' as const) : ('bearer' as const),
        clientId: stringOption(options, 'clientId'),
        redirectURI: stringOption(options, 'redirectUri'),
        challengeForm: choiceOption(options, 'challenge', CHALLENGE_FORMS),
        rememberSecret: flagOption(options, 'rememberSecret'),
        insecureStorage: flagOption(options, 'insecureStorage'),
        publicPage: stringOption(options, 'publicPage'),
        timeout: wait === undefined ? undefined : wait * 1000,
      };
    },
    async run(context, loginOptions) {
      const [{ login }, { loginDependencies }] = await Promise.all([
        import('../../auth/login.js'),
        import('./login/login-dependencies.js'),
      ]);
      const { options, dependencies } = await loginDependencies(context, loginOptions);
      const { profile, baseUrl, scheme, method, expires, elapsed, file } = await login(options, dependencies);
      const { duration } = await import('../output/terminal/numbers.js');
      const until = expires ? `, for ${duration((expires.getTime() - context.now()) / 1000)}` : '';
      context.note(
        `logged in to ${baseUrl} (${method ?? scheme})${until}; it responded in ${Math.round(elapsed)} ms`,
      );
      if (!context.settings.mock) context.note(`saved as profile "${profile}" in ${file}`);
      return undefined;
    },
  }),
];

function secretArgument(what: string, variable: string): UsageError {
  return new UsageError(
    `the ${what} cannot be an argument, which process listings and the shell history show`,
    `type it when prompted, pipe it in, or set ${variable}`,
  );
}
