/** Collects the facts about the deployment for `opac doctor`. */
import { channel } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';
import { checkCredentials } from '../../../auth/check-credentials.js';
import type { Deployment } from '../../../auth/deployment.js';
import { profileSettings, SECRET_KEYS } from '../../../auth/store/profile.js';
import { ANONYMOUS } from '../../../client/credentials.js';
import type { HttpResponse, Send } from '../../../client/http-request.js';
import { findProxy } from '../../../client/transport/proxy.js';
import { OpacError } from '../../../service/errors.js';
import type { JsonObject } from '../../../service/json.js';
import { createAnonymousSender, openDeployment } from '../../connect.js';
import type { Context } from '../../context.js';

interface Diagnosis {
  readonly profile: JsonObject | null;
  readonly deployment: JsonObject | null;
  readonly error: OpacError | undefined;
}

/** Sends requests without credentials. Returns OpacErrors as part of the result. */
export async function diagnoseDeployment(context: Context): Promise<Diagnosis> {
  let found: Deployment | undefined;
  try {
    found = await openDeployment(context);
    return { profile: describeProfile(found), ...(await tryConnection(context, found)) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof OpacError)) throw error;
    const profile = found ? describeProfile(found) : null;
    if (error.code === 'no-deployment') return { profile, deployment: null, error: undefined };
    return { profile, deployment: describeProblem(error), error };
  }
}

/** Describes the profile with the names of its secrets, but without their values. */
function describeProfile({ profile, scheme }: Deployment): JsonObject | null {
  if (!profile) return null;
  const { name, baseUrl, clientId = null, redirectURI = null, expiresAt } = profile;
  const expires = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
  const stored = SECRET_KEYS.filter((key) => profile[key] !== undefined);
  return {
    name,
    baseUrl,
    scheme,
    clientId,
    redirectURI,
    expires,
    stored,
    settings: profileSettings(profile),
  };
}

async function tryConnection(context: Context, { baseUrl, scheme }: Deployment) {
  const { environment, globalOptions, now, signal } = context;
  const proxy = findProxy(new URL(baseUrl).origin, environment);
  const connections = watchConnections();
  let last: { readonly response: HttpResponse; readonly clockDifference: number | null } | undefined;
  const once = { ...context, globalOptions: { ...globalOptions, retries: globalOptions.retries ?? 0 } };
  const send = createAnonymousSender(once, baseUrl, scheme);
  const watchedSend: Send = async (request) => {
    const sent = now();
    const response = await send(request);
    last = { response, clockDifference: countSecondsAhead((sent + now()) / 2, response) };
    return response;
  };
  const error = await checkCredentials({ send: watchedSend, baseUrl }, ANONYMOUS, signal)
    .then(() => undefined, findProblem(context))
    .finally(connections.end);
  const deployment = {
    baseUrl,
    proxy: proxy ? `${proxy.url} (${proxy.variable})` : null,
    noProxy: proxy?.noProxy || null,
    responds: last !== undefined,
    status: last?.response.status ?? null,
    milliseconds: last ? Math.round(last.response.elapsed) : null,
    tls: connections.protocol() ?? null,
    clockSecondsAhead: last?.clockDifference ?? null,
    ...(error && describeProblem(error)),
  };
  return { deployment, error };
}

/** A deployment that rejects requests without credentials can be reached, so this rejection is not a problem. */
function findProblem({ signal }: Context): (error: unknown) => OpacError | undefined {
  return (error) => {
    signal.throwIfAborted();
    if (!(error instanceof OpacError)) throw error;
    return error.kind === 'auth' ? undefined : error;
  };
}

function describeProblem({ message, hint, code }: OpacError): JsonObject {
  return { problem: message, hint: hint ?? null, code: code ?? null };
}

/** The Date header has no fractions of a second (RFC 9110 section 5.6.7), so it is 500 ms too early on average. */
function countSecondsAhead(time: number, { headers }: HttpResponse): number | null {
  const date = Date.parse(headers.date ?? '');
  return Number.isNaN(date) ? null : Math.round((time - 500 - date) / 1000);
}

/** Watches new connections until `end` is called. Even with a proxy, the last connection leads to the deployment. */
function watchConnections() {
  let protocol: string | null | undefined;
  const connected = channel('undici:client:connected');
  const note = (message: unknown) => {
    const { socket } = message as { readonly socket: unknown };
    if (socket instanceof TLSSocket) protocol = socket.getProtocol();
  };
  connected.subscribe(note);
  return { protocol: () => protocol, end: () => void connected.unsubscribe(note) };
}
