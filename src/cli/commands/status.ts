/** `opac status`: the deployment, the credentials, and whether they work. */
import type { Status } from '../../auth/status.js';
import { OpacError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { command } from '../command/command.js';
import type { Context } from '../context.js';
import { duration } from '../output/terminal/numbers.js';

export const commands = [
  command({
    name: 'status',
    summary: 'show the deployment, the credentials, their expiry and if they work',
    examples: [
      { purpose: 'check the current profile', command: 'opac status' },
      {
        purpose: 'check in a script; exits with 4 if the credentials do not work',
        command: 'opac status -p museum -f json',
      },
      { purpose: 'check the built-in museum', command: 'opac status --mock' },
    ],
    endpoints: ['records.search'],
    parse: () => undefined,
    async run(context) {
      const [{ getStatus: statusOf }, { bareSender, deploymentOf, authDependencies: sourcesOf }] =
        await Promise.all([import('../../auth/status.js'), import('../connect.js')]);
      const deployment = await deploymentOf(context);
      const send = bareSender(context, deployment.baseUrl, deployment.scheme);
      const status = await statusOf(deployment, send, await sourcesOf(context), context.signal);
      return {
        kind: 'value',
        text: lines(status, context).join('\n'),
        json: json(status),
        failure: () =>
          status.works
            ? undefined
            : new OpacError('auth', `the deployment cannot be used: ${status.problem}`, {
                hint: status.hint,
              }),
      };
    },
  }),
];

/** Every key is always there, null when unknown. Times in milliseconds, `expires` in ISO 8601. */
function json({ expires, elapsed, ...status }: Status): Json {
  const known = {
    ...status,
    expires: expires?.toISOString(),
    elapsed: elapsed === undefined ? undefined : Math.round(elapsed),
  };
  return Object.fromEntries(Object.entries(known).map(([key, value]) => [key, value ?? null]));
}

function lines(status: Status, context: Context): string[] {
  const { profile, baseUrl, scheme, expires, works, elapsed, kept } = status;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['profile', profile ?? 'none'],
    ['deployment', baseUrl],
    ['scheme', scheme],
    ['client id', status.clientId],
    ['redirect URI', status.redirectURI],
    ['challenge', status.challengeForm],
    ['expires', scheme === 'basic' ? 'never' : expires && expiry(expires, context.now())],
    ['works', works ? `yes, responded in ${Math.round(elapsed ?? 0)} ms` : 'no'],
    ['access token', scheme === 'bearer' ? kept.accessToken : undefined],
    ['basic key', scheme === 'basic' ? kept.basicKey : undefined],
    ['client secret', scheme === 'bearer' ? kept.clientSecret : undefined],
  ];
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(14)}${value}`]));
}

function expiry(expires: Date, now: number): string {
  const seconds = (expires.getTime() - now) / 1000;
  return seconds > 0 ? `in ${duration(seconds)}` : `${duration(-seconds)} ago`;
}
