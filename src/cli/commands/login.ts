/** `opac login`: makes a profile, with a token, a basic key or no credentials at all. */

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
    summary: `${METHODS.format(Object.values(METHOD_HELP))}; default: what fits`,
    choices: LOGIN_METHODS,
  },
  { group: WAYS, flags: '--wait <seconds>', summary: 'how long to wait for the browser; default: 300' },
  {
    group: WAYS,
    flags: '--basic-key [key]',
    summary: 'with a basic key, read without echo or from standard input (also OPAC_BASIC_KEY)',
  },
  { group: WAYS, flags: '--anonymous', summary: 'without credentials, where the deployment allows it' },
  {
    group: CLIENT,
    flags: '--client-id <id>',
    summary: 'id of the API key (also OPAC_CLIENT_ID); its secret is asked for, or OPAC_CLIENT_SECRET',
  },
  {
    group: CLIENT,
    flags: '--redirect-uri <uri>',
    summary: 'the redirect URI as it is registered (also OPAC_REDIRECT_URI)',
  },
  {
    group: CLIENT,
    flags: '--challenge <form>',
    summary: `${CHALLENGE_FORMS.join(', ')}; default: what the deployment took before`,
    choices: CHALLENGE_FORMS,
  },
  {
    group: KEEPING,
    flags: '--remember-secret',
    summary: 'keep the client secret in the keyring of the system, to renew tokens quietly',
  },
  {
    group: KEEPING,
    flags: '--insecure-storage',
    summary: 'where there is no keyring: keep it in the profile file, which only you can read',
  },
  {
    group: KEEPING,
    flags: '--public-page <pattern>',
    summary: 'address of a record for people: https://…/{kind}/{id}, for "opac open"',
  },
  // Taken only to be refused with the reason: an argument shows in process listings and in the history of the shell.
  { flags: '--client-secret [secret]', summary: 'refused: a secret is never an argument', hidden: true },
];

export const commands = [
  command({
    name: 'login',
    summary: 'log in to a deployment and keep it as a profile',
    options: OPTIONS,
    examples: [
      { purpose: 'try it on the built-in museum; nothing is kept', command: 'opac login --mock' },
      {
        purpose: 'with the browser',
        command:
          'opac login --base-url https://collection.example.org --client-id abc --redirect-uri http://127.0.0.1:8765/callback',
      },
      {
        purpose: 'on a server, the secret in OPAC_CLIENT_SECRET',
        command: 'opac login -p museum --base-url https://collection.example.org --method headless',
      },
      {
        purpose: 'with a basic key from a file',
        command: 'opac login --base-url https://collection.example.org --basic-key < key.txt',
      },
    ],
    endpoints: ['oauth.authorize', 'oauth.token', 'records.search'],
    parse: ({ options, arguments: surplus }) => {
      // Not repeated: it may be a secret.
      if (surplus.length > 0)
        throw new UsageError('login takes no argument', 'name the deployment with --base-url');
      if (options.clientSecret !== undefined) throw secretArgument('client secret', 'OPAC_CLIENT_SECRET');
      if (typeof options.basicKey === 'string') throw secretArgument('basic key', 'OPAC_BASIC_KEY');
      const basic = options.basicKey === true;
      const anonymous = flagOption(options, 'anonymous');
      const method = choiceOption(options, 'method', LOGIN_METHODS);
      if ((basic && anonymous) || ((basic || anonymous) && method !== undefined)) {
        throw new UsageError(
          '--basic-key, --anonymous and --method are different ways to log in',
          'choose one',
        );
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
      if (context.dryRunLog) {
        const { rehearseLogin } = await import('../dry-run/login.js');
        await rehearseLogin(context, context.dryRunLog, loginOptions);
        return undefined;
      }
      const [{ login }, { loginDependencies }] = await Promise.all([
        import('../../auth/login.js'),
        import('./login/login-dependencies.js'),
      ]);
      const { options, dependencies } = await loginDependencies(context, loginOptions);
      const { profile, baseUrl, scheme, method, expires, elapsed, file } = await login(options, dependencies);
      const { duration } = await import('../output/terminal/numbers.js');
      const until = expires ? `, for ${duration((expires.getTime() - context.now()) / 1000)}` : '';
      context.note(
        `logged in to ${baseUrl} (${method ?? scheme})${until}; it answered in ${Math.round(elapsed)} ms`,
      );
      if (!context.settings.mock) context.note(`saved as profile "${profile}" in ${file}`);
      return undefined;
    },
  }),
];

function secretArgument(what: string, variable: string): UsageError {
  return new UsageError(
    `the ${what} is not taken as an argument, where process listings and the history of the shell show it`,
    `type it when asked, pipe it in, or set ${variable}`,
  );
}
