/** Creates the client that the settings describe: its deployment, credentials and messages. */

import type { AuthDependencies } from '../auth/dependencies.js';
import { type Deployment, resolveDeployment, resolveProfile } from '../auth/deployment.js';
import { openKeyring } from '../auth/store/keyring.js';
import { profileSettings } from '../auth/store/profile.js';
import { type Client, type ClientOptions, createClient } from '../client/client.js';
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import { DEFAULT_BASIC_KEY_TIMEOUT_SECONDS, DEFAULT_TIMEOUT_SECONDS } from '../client/defaults.js';
import type { Send } from '../client/http-request.js';
import { withExchangeLog } from '../client/layers/exchange-log.js';
import { type RetryEvent, withRetry } from '../client/layers/retry.js';
import { createTransport } from '../client/transport/transport.js';
import { waitUntilAvailable } from '../client/wait-until.js';
import { UsageError } from '../service/errors.js';
import type { Context } from './context.js';
import { DEFAULT_MOCK_URL } from './defaults.js';
import { createDryRunSender } from './dry-run/curl.js';
import { findUnknownVariables } from './options/environment.js';
import type { RecordFiles } from './options/files/record-files.js';
import type { GlobalOptions } from './options/global.js';

const TIMEOUTS: Readonly<Record<Credentials['scheme'], number>> = {
  bearer: DEFAULT_TIMEOUT_SECONDS,
  anonymous: DEFAULT_TIMEOUT_SECONDS,
  basic: DEFAULT_BASIC_KEY_TIMEOUT_SECONDS,
};

/** Seconds. */
function timeoutOf({ timeout }: GlobalOptions, scheme: Credentials['scheme']): number {
  return timeout === undefined ? TIMEOUTS[scheme] : timeout / 1000;
}

/** Milliseconds. */
const LONG_WAIT_MS = 5000;

export async function connect(context: Context): Promise<Client> {
  if (context.globalOptions.from.length > 0) return createFileClient(context);
  return createDeploymentClient(context, await openDeployment(context));
}

/** A client whose requests exported files answer. */
async function createFileClient(context: Context): Promise<Client> {
  const deployment = await openDeployment(context);
  context.dryRunLog?.push(`# reads ${context.globalOptions.from.join(', ')} and sends nothing`);
  const [files, { answeredFrom }] = await Promise.all([context.files(), import('./from/file-exchange.js')]);
  const wrapTransport = answeredFrom({ files, signal: context.signal });
  return createDeploymentClient(context, deployment, { wrapTransport });
}

/** A client of that deployment, closed when the command ends; `overrides` go before the settings. */
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
    timeout: timeoutOf(globalOptions, scheme),
    retries: globalOptions.retries,
    concurrency: globalOptions.concurrency,
    rate: globalOptions.rate,
    onNotice: ({ message }) => context.note(message),
    onRetry: createRetryNoter(context),
    ...overrides,
    wrapTransport: (send) =>
      wrapTransport(withDebugLog(context, baseUrl, overrides.credentials?.scheme ?? scheme)(send)),
  });
  context.addCleanup(() => client.close());
  return globalOptions.mock ? withPicturesAt(client, baseUrl) : client;
}

function withPicturesAt(client: Client, museum: string): Client {
  return { ...client, fetchFile: (url, options) => client.fetchFile(toMockImageUrl(museum, url), options) };
}

/** Where the museum of `--mock` has a picture, whose URL names the address of "opac mock". */
function toMockImageUrl(museum: string, url: string): string {
  return url.startsWith(`${DEFAULT_MOCK_URL}/`) ? museum + url.slice(DEFAULT_MOCK_URL.length) : url;
}

/** The settings of the profile in use, by their names; undefined without one. What is wrong with it, the command says. */
export async function readProfileSettings(
  options: GlobalOptions,
  environment: Context['environment'],
  profiles: Context['profiles'],
): Promise<{ readonly name: string; readonly settings: Readonly<Record<string, string>> } | undefined> {
  const profile = await resolveProfile(options, environment, await profiles()).catch(() => undefined);
  return profile && { name: profile.name, settings: profileSettings(profile) };
}

export async function authDependencies(context: Context): Promise<AuthDependencies> {
  return {
    environment: context.environment,
    store: await context.profiles(),
    openKeyring,
    now: context.now,
    note: context.note,
  };
}

/**
 * The deployment that the settings name, or that the files of `--from` come from; with `--mock` a museum that is there
 * until the command ends. With `--dry-run` neither is it started nor are credentials looked for: variables take their place.
 */
export async function openDeployment(context: Context): Promise<Deployment> {
  const { globalOptions, dryRunLog } = context;
  if (globalOptions.from.length > 0) return createAnonymousDeployment(getSourceUrl(await context.files()));
  if (!globalOptions.mock) {
    const deployment = await resolveDeployment(globalOptions, await authDependencies(context));
    if (deployment.scheme === 'anonymous' && !deployment.profile) checkUnknownVariables(context);
    if (!dryRunLog) return deployment;
    return { ...deployment, credentials: () => ({ ...ANONYMOUS, scheme: deployment.scheme }) };
  }
  if (dryRunLog) {
    dryRunLog.push(`# "opac mock" serves the built-in museum at ${DEFAULT_MOCK_URL}`);
    return createAnonymousDeployment(DEFAULT_MOCK_URL);
  }
  const { startMuseum } = await import('../mock/index.js');
  // Its port is another one each time, and what is written must not be: pictures are at the address of "opac mock".
  const museum = await startMuseum({ imageBaseUrl: DEFAULT_MOCK_URL });
  context.addCleanup(() => museum.close());
  return createAnonymousDeployment(museum.url);
}

/**
 * For requests without credentials: notes variables that the program does not know. Throws a UsageError for one that looks like
 * a misspelt credential, as a run without it may miss records.
 */
function checkUnknownVariables({ environment, note }: Context): void {
  for (const name of findUnknownVariables(environment)) {
    if (/KEY|TOKEN|SECRET|CLIENT/i.test(name))
      throw new UsageError(`unknown variable ${name} in the environment`, 'see: opac help environment');
    note(`${name} is not a variable of opac and is ignored; see: opac help environment`);
  }
}

/** Where the records came from, for the links in them; of no museum where no manifest says it (RFC 2606 section 2). */
function getSourceUrl({ deployment = '' }: RecordFiles): string {
  return /^https?:/.test(deployment) ? deployment : 'https://export.invalid';
}

function createAnonymousDeployment(baseUrl: string): Deployment {
  return {
    baseUrl,
    allowHttp: true,
    scheme: 'anonymous',
    profile: undefined,
    credentials: () => ANONYMOUS,
  };
}

/** A way to send requests that carry no credentials: those of a login. */
export function createAnonymousSender(
  context: Context,
  baseUrl: string,
  scheme: Credentials['scheme'],
): Send {
  const { globalOptions, environment, signal } = context;
  const transport = createTransport({ baseUrl, environment, timeout: timeoutOf(globalOptions, scheme) });
  context.addCleanup(() => transport.close());
  const send = withRetry(withDebugLog(context, baseUrl, scheme)(transport.send), {
    retries: globalOptions.retries,
    onRetry: createRetryNoter(context),
  });
  return (request) => send({ ...request, signal: request.signal ?? signal });
}

/** Whoever waits for long wants to know what for; shorter waits are details. */
function createRetryNoter(context: Context): (retrying: RetryEvent) => void {
  return ({ message, retry, retries, wait, waited }) => {
    const say = waited >= LONG_WAIT_MS ? context.note : context.noteVerbose;
    const times = Number.isFinite(retries) ? ` (${retry} of ${retries})` : '';
    say(`${message}; retrying in ${(wait / 1000).toFixed(1)} s${times}`);
  };
}

/**
 * Repeats `ask` for `within` milliseconds while the deployment cannot be reached or fails; the requests themselves are then not
 * retried unless the settings say so. Asks once when `within` is undefined.
 */
export async function retryUntilAvailable<T>(
  context: Context,
  timeout: number | undefined,
  ask: (context: Context) => Promise<T>,
): Promise<T> {
  if (timeout === undefined) return ask(context);
  let client: Promise<Client> | undefined;
  const waiting: Context = {
    ...context,
    globalOptions: { ...context.globalOptions, retries: context.globalOptions.retries ?? 0 },
    client: () => {
      client ??= connect(waiting);
      return client;
    },
  };
  return waitUntilAvailable(() => ask(waiting), {
    timeout,
    signal: context.signal,
    onRetry: createRetryNoter(context),
  });
}

/** With `--debug`, a line for each request and its response, without credentials. With `--dry-run`, nothing is sent. */
function withDebugLog(
  { dryRunLog, globalOptions, note }: Context,
  baseUrl: string,
  scheme: Credentials['scheme'],
): (send: Send) => Send {
  if (dryRunLog) return () => createDryRunSender(dryRunLog, baseUrl, scheme);
  return globalOptions.debug ? withExchangeLog({ baseUrl, write: note }) : (send) => send;
}
