/** `opac status`: the deployment, the credentials, and whether they work. */
import type { Status } from '../../../auth/status.js';
import { HttpError } from '../../../client/errors/http-error.js';
import { OpacError } from '../../../service/errors.js';
import { asObject, asText, type JsonObject } from '../../../service/json.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import { WAIT_OPTION } from '../../options/wait.js';
import { formatDuration } from '../../output/terminal/numbers.js';

export const commands = [
  defineCommand({
    name: 'status',
    summary: 'show the deployment and check whether the credentials work',
    examples: {
      'check the current profile': 'opac status',
      'check in a script; exit 4 means a credentials error, 5 a deployment error':
        'opac status -p museum -f json',
      'check the built-in museum': 'opac status --mock',
    },
    endpoints: ['records.search'],
    options: [WAIT_OPTION],
    output: 'row',
    async run(context, { wait }) {
      const [
        { getStatus: statusOf },
        { createAnonymousSender, openDeployment, authDependencies: sourcesOf, retryUntilAvailable },
      ] = await Promise.all([import('../../../auth/status.js'), import('../../connect.js')]);
      const deployment = await openDeployment(context);
      const sources = await sourcesOf(context);
      let last: Status | undefined;
      const ask = async (asked: Context): Promise<Status> => {
        const send = createAnonymousSender(asked, deployment.baseUrl, deployment.scheme);
        last = await statusOf(deployment, send, sources, context.signal);
        if (last.error) throw last.error;
        return last;
      };
      const status = await retryUntilAvailable(context, wait, ask).catch((error) => {
        if (last === undefined || last.error !== error) throw error;
        return last;
      });
      return {
        kind: 'value',
        text: lines(status, context).join('\n'),
        json: json(status),
        row: row(status),
        isRowInPipe: true,
        failure: () => status.error && unusable(status.error),
      };
    },
  }),
];

/** Why the deployment cannot be used. What it lacks itself (no such interface) is a fault of the deployment. */
function unusable(cause: OpacError): OpacError {
  const { code, hint } = cause;
  const kind = cause.kind === 'not-found' ? 'deployment' : cause.kind;
  return new OpacError(kind, `the deployment cannot be used: ${cause.message}`, { hint, code, cause });
}

/** Every key is always there, null when unknown. Times in milliseconds, `expires` in ISO 8601. */
function json({ expires, elapsed, error, ...status }: Status): JsonObject {
  const known = {
    ...status,
    expires: expires?.toISOString(),
    elapsed: elapsed === undefined ? undefined : Math.round(elapsed),
    problem: error?.message,
    hint: error?.hint,
    code: error?.code,
    kind: error?.kind,
    status: error instanceof HttpError ? error.status : undefined,
  };
  return Object.fromEntries(Object.entries(known).map(([key, value]) => [key, value ?? null]));
}

/** The same for a table, without a level below. */
function row(status: Status): Readonly<Record<string, string>> {
  const { kept, ...rest } = json(status);
  const where = Object.entries(asObject(kept)).map(([key, value]) => [`kept.${key}`, value]);
  return Object.fromEntries([...Object.entries(rest), ...where].map(([key, value]) => [key, asText(value)]));
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
  return seconds > 0 ? `in ${formatDuration(seconds)}` : `${formatDuration(-seconds)} ago`;
}
