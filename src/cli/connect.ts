/** Creates the client of a command from its options. */
import type { AuthDependencies } from '../auth/dependencies.js';
import { type Deployment, resolveDeployment, resolveProfile } from '../auth/deployment.js';
import { openKeyring } from '../auth/store/keyring.js';
import { isForBaseUrl, profileSettings } from '../auth/store/profile.js';
import { type Client, type ClientOptions, createClient } from '../client/client.js';
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import { DEFAULT_BASIC_KEY_TIMEOUT_SECONDS, DEFAULT_TIMEOUT_SECONDS } from '../client/defaults.js';
import type { Send } from '../client/http-request.js';
import { withExchangeLog } from '../client/layers/exchange-log.js';
import { type RetryEvent, withRetry } from '../client/layers/retry.js';
import { createTransport } from '../client/transport/transport.js';
import { waitUntilAvailable } from '../client/wait-until.js';
import { UsageError } from '../service/errors.js';
import { type Context, createOnce } from './context.js';
import { DEFAULT_MOCK_URL } from './defaults.js';
import { createDryRunSender } from './dry-run/curl.js';
import { findUnknownVariables } from './options/environment.js';
import type { RecordFiles } from './options/files/record-files.js';
import type { GlobalOptions } from './options/global.js';

/** Returns seconds. The option is in milliseconds. */
function getTimeout({ timeout }: GlobalOptions, scheme: Credentials['scheme']): number {
  if (timeout !== undefined) return timeout / 1000;
  return scheme === 'basic' ? DEFAULT_BASIC_KEY_TIMEOUT_SECONDS : DEFAULT_TIMEOUT_SECONDS;
}

const LONG_WAIT_MS = 5000;

/** Throws the errors of `openDeployment`. With `--from`, also throws an OpacError if a file differs from its manifest. */
export async function connect(context: Context): Promise<Client> {
  if (context.globalOptions.from.length > 0) return createFileClient(context);
  return createDeploymentClient(context, await openDeployment(context));
}

async function createFileClient(context: Context): Promise<Client> {
  const deployment = await openDeployment(context);
  context.dryRunLog?.push(`# reads ${context.globalOptions.from.join(', ')} and sends nothing`);
  const [files, { withFileResponses }] = await Promise.all([
    context.files(),
    import('./from/file-exchange.js'),
  ]);
  if (files.changed) throw files.changed;
  const respond = withFileResponses(files, context.signal);
  const wrapTransport = (send: Send) => respond(refuseUnknownSource(send));
  const allowOwnHost = await isDeploymentOfProfile(context, deployment.baseUrl);
  return createDeploymentClient(context, deployment, { wrapTransport, allowOwnHost });
}

/** Somebody else may have written the manifest, so opac trusts the URL in it only if the profile in use has the same URL. */
async function isDeploymentOfProfile(
  { globalOptions, environment, profiles }: Context,
  url: string,
): Promise<boolean> {
  try {
    const profile = await resolveProfile(globalOptions, environment, await profiles());
    return profile !== undefined && isForBaseUrl(profile, url);
  } catch {
    return false;
  }
}

/** The client closes when the command ends. `overrides` take precedence over the options. */
export function createDeploymentClient(
  context: Context,
  deployment: Deployment,
  overrides: Partial<ClientOptions> = {},
): Client {
  const { globalOptions, environment } = context;
  const { baseUrl, allowHttp, scheme } = deployment;
  const { wrapTransport = (send) => send } = overrides;
  const client = createClient({
    baseUrl,
    allowHttp,
    credentials:
      overrides.credentials ?? deployment.credentials(createAnonymousSender(context, baseUrl, scheme)),
    environment,
    timeout: getTimeout(globalOptions, scheme),
    retries: globalOptions.retries,
    concurrency: globalOptions.concurrency,
    rate: globalOptions.rate,
    allowPrivateImages: globalOptions.allowPrivateImages,
    onNotice: ({ message }) => context.note(message),
    onRetry: createRetryNoter(context),
    ...overrides,
    wrapTransport: (send) =>
      wrapTransport(withDebugLog(context, baseUrl, overrides.credentials?.scheme ?? scheme)(send)),
  });
  context.addCleanup(() => client.close());
  if (!globalOptions.mock) return client;
  return { ...client, fetchFile: (url, options) => client.fetchFile(toMockImageUrl(baseUrl, url), options) };
}

/** The image URLs in records have the port of "opac mock", but the museum of `--mock` has another port. */
function toMockImageUrl(museum: string, url: string): string {
  return url.startsWith(`${DEFAULT_MOCK_URL}/`) ? museum + url.slice(DEFAULT_MOCK_URL.length) : url;
}

/** Returns undefined if no profile is in use, or if reading it fails. The command reports the failure later. */
export async function readProfileSettings(
  options: GlobalOptions,
  environment: Context['environment'],
  profiles: Context['profiles'],
): Promise<{ readonly name: string; readonly settings: Readonly<Record<string, string>> } | undefined> {
  const profile = await resolveProfile(options, environment, await profiles()).catch(() => undefined);
  return profile && { name: profile.name, settings: profileSettings(profile) };
}

export async function createAuthDependencies(context: Context): Promise<AuthDependencies> {
  return {
    environment: context.environment,
    store: await context.profiles(),
    openKeyring,
    now: context.now,
    note: context.note,
  };
}

/**
 * Throws the errors of `resolveDeployment` and `checkUnknownVariables`, and with `--from` those of `findRecordFiles`. With
 * `--dry-run`, the returned credentials contain no secrets.
 */
export async function openDeployment(context: Context): Promise<Deployment> {
  const { globalOptions, dryRunLog } = context;
  if (globalOptions.from.length > 0) return createAnonymousDeployment(getSourceUrl(await context.files()));
  if (!globalOptions.mock) {
    const deployment = await resolveDeployment(globalOptions, await createAuthDependencies(context));
    if (deployment.scheme === 'anonymous' && !deployment.profile) checkUnknownVariables(context);
    if (!dryRunLog) return deployment;
    return { ...deployment, credentials: () => ({ ...ANONYMOUS, scheme: deployment.scheme }) };
  }
  if (dryRunLog) {
    dryRunLog.push(`# "opac mock" serves the built-in museum at ${DEFAULT_MOCK_URL}`);
    return createAnonymousDeployment(DEFAULT_MOCK_URL);
  }
  const { startMuseum } = await import('../mock/index.js');
  // The museum has a different port in each run. The output must not change, so image URLs have the port of "opac mock".
  const museum = await startMuseum({ imageBaseUrl: DEFAULT_MOCK_URL });
  context.addCleanup(() => museum.close());
  return createAnonymousDeployment(museum.url);
}

/** Throws a UsageError if a variable for credentials may be misspelt. Without credentials, the service may omit records. */
function checkUnknownVariables({ environment, note }: Context): void {
  for (const name of findUnknownVariables(environment)) {
    if (/KEY|TOKEN|SECRET|CLIENT/i.test(name))
      throw new UsageError(`unknown variable ${name} in the environment`, 'see: opac help environment');
    note(`${name} is not a variable of opac and is ignored; see: opac help environment`);
  }
}

function refuseUnknownSource(send: Send): Send {
  return async (request) => {
    if (!request.url?.startsWith(UNKNOWN_SOURCE)) return send(request);
    throw new UsageError(
      `"${request.path}" has no host, and the file has no manifest that names its deployment`,
      'use a file with its manifest',
    );
  };
}

const UNKNOWN_SOURCE = 'https://export.invalid';

/** Returns the base URL for relative links in records. If no manifest has a URL, returns a reserved name (RFC 2606 section 2). */
function getSourceUrl({ deployment = '' }: RecordFiles): string {
  return /^https?:/.test(deployment) ? deployment : UNKNOWN_SOURCE;
}

function createAnonymousDeployment(baseUrl: string): Deployment {
  const profile = undefined;
  return { baseUrl, allowHttp: true, scheme: 'anonymous', profile, credentials: () => ANONYMOUS };
}

/** Creates a sender for requests that need no credentials, such as the requests of a login. */
export function createAnonymousSender(
  context: Context,
  baseUrl: string,
  scheme: Credentials['scheme'],
): Send {
  const { globalOptions, environment, signal } = context;
  const transport = createTransport({ baseUrl, environment, timeout: getTimeout(globalOptions, scheme) });
  context.addCleanup(() => transport.close());
  const send = withRetry(withDebugLog(context, baseUrl, scheme)(transport.send), {
    retries: globalOptions.retries,
    onRetry: createRetryNoter(context),
  });
  return (request) => send({ ...request, signal: request.signal ?? signal });
}

/** Without `--verbose` or `--debug`, reports a retry only if the waits of the request add up to at least LONG_WAIT_MS. */
function createRetryNoter(context: Context): (retrying: RetryEvent) => void {
  return ({ message, retry, retries, wait, waited }) => {
    const say = waited >= LONG_WAIT_MS ? context.note : context.noteVerbose;
    const times = Number.isFinite(retries) ? ` (${retry} of ${retries})` : '';
    say(`${message}; retrying in ${(wait / 1000).toFixed(1)} s${times}`);
  };
}

/**
 * With `timeout`, repeats `send` for up to this many milliseconds while the deployment fails, and retries single requests only
 * with `--retries`.
 */
export async function retryUntilAvailable<T>(
  context: Context,
  timeout: number | undefined,
  send: (context: Context) => Promise<T>,
): Promise<T> {
  if (timeout === undefined) return send(context);
  const waiting = withGlobalOptions(context, { retries: context.globalOptions.retries ?? 0 });
  return waitUntilAvailable(() => send(waiting), {
    timeout,
    signal: context.signal,
    onRetry: createRetryNoter(context),
  });
}

/** Returns a context with other options and with its own client. */
export function withGlobalOptions(context: Context, options: Partial<GlobalOptions>): Context {
  const own: Context = {
    ...context,
    globalOptions: { ...context.globalOptions, ...options },
    client: createOnce(() => connect(own)),
  };
  return own;
}

/** Returns a layer that logs requests with `--debug`. With `--dry-run`, the layer logs curl commands and sends nothing. */
function withDebugLog(
  { dryRunLog, globalOptions, note }: Context,
  baseUrl: string,
  scheme: Credentials['scheme'],
): (send: Send) => Send {
  if (dryRunLog) return () => createDryRunSender(dryRunLog, baseUrl, scheme);
  return globalOptions.debug ? withExchangeLog({ baseUrl, write: note }) : (send) => send;
}
