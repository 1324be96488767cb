/** `opac status`: shows the deployment and checks whether the credentials work. */
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
        { getStatus },
        { createAuthDependencies, createAnonymousSender, openDeployment, retryUntilAvailable },
      ] = await Promise.all([import('../../../auth/status.js'), import('../../connect.js')]);
      const deployment = await openDeployment(context);
      const dependencies = await createAuthDependencies(context);
      let last: Status | undefined;
      const requestStatus = async (waitingContext: Context): Promise<Status> => {
        const send = createAnonymousSender(waitingContext, deployment.baseUrl, deployment.scheme);
        last = await getStatus(deployment, send, dependencies, context.signal);
        if (last.error) throw last.error;
        return last;
      };
      const status = await retryUntilAvailable(context, wait, requestStatus).catch((error) => {
        if (last === undefined || last.error !== error) throw error;
        return last;
      });
      return {
        kind: 'value',
        text: formatLines(status, context).join('\n'),
        json: toJson(status),
        row: toRow(status),
        isRowInPipe: true,
        failure: () => status.error && createUnusableError(status.error),
      };
    },
  }),
];

/** A 404 means that the deployment does not have the API, so the error gets the kind `deployment`. */
function createUnusableError(cause: OpacError): OpacError {
  const { code, hint } = cause;
  const kind = cause.kind === 'not-found' ? 'deployment' : cause.kind;
  return new OpacError(kind, `the deployment cannot be used: ${cause.message}`, { hint, code, cause });
}

/** Unknown values are null. `elapsed` is in milliseconds. */
function toJson({ expires, elapsed, error, ...others }: Status): JsonObject {
  const known = {
    ...others,
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

function toRow(status: Status): Readonly<Record<string, string>> {
  const { kept, ...rest } = toJson(status);
  const locations = Object.entries(asObject(kept)).map(([key, value]) => [`kept.${key}`, value]);
  return Object.fromEntries(
    [...Object.entries(rest), ...locations].map(([key, value]) => [key, asText(value)]),
  );
}

function formatLines(status: Status, context: Context): string[] {
  const { profile, baseUrl, scheme, works, elapsed, kept } = status;
  // If the service rejects a token before its saved expiry time, that time is wrong, so opac does not show it.
  const isExpired = status.error?.code === 'token-expired';
  const isRejected = isExpired && (status.expires?.getTime() ?? 0) > context.now();
  const expires = isRejected ? undefined : status.expires;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['profile', profile ?? 'none'],
    ['deployment', baseUrl],
    ['scheme', scheme],
    ['client id', status.clientId],
    ['redirect URI', status.redirectURI],
    ['challenge', status.challengeForm],
    ['expires', scheme === 'basic' ? 'never' : expires && formatExpiry(expires, context.now())],
    [
      'works',
      works
        ? `yes, responded in ${Math.round(elapsed ?? 0)} ms`
        : isExpired
          ? 'no, your login has expired'
          : 'no',
    ],
    ['access token', scheme === 'bearer' ? kept.accessToken : undefined],
    ['basic key', scheme === 'basic' ? kept.basicKey : undefined],
    ['client secret', scheme === 'bearer' ? kept.clientSecret : undefined],
  ];
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name.padEnd(14)}${value}`]));
}

function formatExpiry(expires: Date, now: number): string {
  const seconds = (expires.getTime() - now) / 1000;
  return seconds > 0 ? `in ${formatDuration(seconds)}` : `${formatDuration(-seconds)} ago`;
}
