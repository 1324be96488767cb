/** Creates the client that the settings describe: its deployment, credentials and messages. */

import type { AuthDependencies } from '../auth/dependencies.js';
import { type Deployment, findDeployment, profileInUse } from '../auth/deployment.js';
import { openKeyring } from '../auth/store/keyring.js';
import { profileSettings } from '../auth/store/profile.js';
import { type Client, type ClientOptions, createClient } from '../client/client.js';
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import { BASIC_KEY_TIMEOUT, DEFAULT_TIMEOUT } from '../client/defaults.js';
import type { Send } from '../client/exchange.js';
import { logExchanges } from '../client/layers/exchange-log.js';
import { type Retrying, withRetry } from '../client/layers/retry.js';
import { waitUntilUp } from '../client/wait-until.js';
import { createTransport } from '../client/wire/transport.js';
import { UsageError } from '../service/errors.js';
import type { Context } from './context.js';
import { MOCK_ADDRESS } from './defaults.js';
import { unsent } from './dry-run/unsent.js';
import { unknownVariables } from './options/environment.js';
import type { RecordFiles } from './options/files/record-files.js';
import type { GlobalOptions } from './options/global.js';

const TIMEOUTS: Readonly<Record<Credentials['scheme'], number>> = {
  bearer: DEFAULT_TIMEOUT,
  anonymous: DEFAULT_TIMEOUT,
  basic: BASIC_KEY_TIMEOUT,
};

/** Seconds. */
function timeoutOf({ timeout }: GlobalOptions, scheme: Credentials['scheme']): number {
  return timeout === undefined ? TIMEOUTS[scheme] : timeout / 1000;
}

/** Milliseconds. */
const LONG_WAIT = 5000;

export async function connect(context: Context): Promise<Client> {
  if (context.settings.from.length > 0) return clientOfFiles(context);
  return clientOf(context, await deploymentOf(context));
}

/** A client whose requests exported files answer. */
async function clientOfFiles(context: Context): Promise<Client> {
  const deployment = await deploymentOf(context);
  context.dryRunLog?.push(`# reads ${context.settings.from.join(', ')} and sends nothing`);
  const [files, { answeredFrom }] = await Promise.all([context.files(), import('./from/file-exchange.js')]);
  const wrapTransport = answeredFrom({ files, signal: context.signal });
  return clientOf(context, deployment, { wrapTransport });
}

/** A client of that deployment, closed when the command ends; `overrides` go before the settings. */
export function clientOf(
  context: Context,
  deployment: Deployment,
  overrides: Partial<ClientOptions> = {},
): Client {
  const { settings, environment } = context;
  const { baseUrl, allowHttp, scheme } = deployment;
  const { wrapTransport = (send) => send } = overrides;
  const client = createClient({
    baseUrl,
    allowHttp,
    credentials: overrides.credentials ?? deployment.credentials(bareSender(context, baseUrl, scheme)),
    environment,
    timeout: timeoutOf(settings, scheme),
    retries: settings.retries,
    concurrency: settings.concurrency,
    rate: settings.rate,
    onNotice: ({ message }) => context.note(message),
    onRetry: retryNotes(context),
    ...overrides,
    wrapTransport: (send) =>
      wrapTransport(logged(context, baseUrl, overrides.credentials?.scheme ?? scheme)(send)),
  });
  context.atEnd(() => client.close());
  return settings.mock ? withPicturesAt(client, baseUrl) : client;
}

function withPicturesAt(client: Client, museum: string): Client {
  return { ...client, getFile: (url, options) => client.getFile(picturesAt(museum, url), options) };
}

/** Where the museum of `--mock` has a picture, whose URL names the address of "opac mock". */
function picturesAt(museum: string, url: string): string {
  return url.startsWith(`${MOCK_ADDRESS}/`) ? museum + url.slice(MOCK_ADDRESS.length) : url;
}

/** The settings of the profile in use, by their names; undefined without one. What is wrong with it, the command says. */
export async function settingsInUse(
  options: GlobalOptions,
  environment: Context['environment'],
  profiles: Context['profiles'],
): Promise<{ readonly name: string; readonly settings: Readonly<Record<string, string>> } | undefined> {
  const profile = await profileInUse(options, environment, await profiles()).catch(() => undefined);
  return profile && { name: profile.name, settings: profileSettings(profile) };
}

export async function authDependencies(context: Context): Promise<AuthDependencies> {
  return {
    environment: context.environment,
    store: await context.profiles(),
    openKeyring,
    now: context.now,
    notice: context.note,
  };
}

/**
 * The deployment that the settings name, or that the files of `--from` come from; with `--mock` a museum that is there
 * until the command ends. With `--dry-run` neither is it started nor are credentials looked for: variables take their place.
 */
export async function deploymentOf(context: Context): Promise<Deployment> {
  const { settings, dryRunLog } = context;
  if (settings.from.length > 0) return anonymousAt(addressOf(await context.files()));
  if (!settings.mock) {
    const deployment = await findDeployment(settings, await authDependencies(context));
    if (deployment.scheme === 'anonymous' && !deployment.profile) checkUnknownVariables(context);
    if (!dryRunLog) return deployment;
    return { ...deployment, credentials: () => ({ ...ANONYMOUS, scheme: deployment.scheme }) };
  }
  if (dryRunLog) {
    dryRunLog.push(`# "opac mock" serves the built-in museum at ${MOCK_ADDRESS}`);
    return anonymousAt(MOCK_ADDRESS);
  }
  const { startMuseum } = await import('../mock/index.js');
  // Its port is another one each time, and what is written must not be: pictures are at the address of "opac mock".
  const museum = await startMuseum({ pictureOrigin: MOCK_ADDRESS });
  context.atEnd(() => museum.close());
  return anonymousAt(museum.url);
}

/**
 * For requests without credentials: notes variables that the program does not know. Throws a UsageError for one that looks like
 * a misspelt credential, as a run without it may miss records.
 */
function checkUnknownVariables({ environment, note }: Context): void {
  for (const name of unknownVariables(environment)) {
    if (/KEY|TOKEN|SECRET|CLIENT/i.test(name))
      throw new UsageError(`unknown variable ${name} in the environment`, 'see: opac help environment');
    note(`${name} is not a variable of opac and is ignored; see: opac help environment`);
  }
}

/** Where the records came from, for the links in them; of no museum where no manifest says it (RFC 2606 section 2). */
function addressOf({ deployment = '' }: RecordFiles): string {
  return /^https?:/.test(deployment) ? deployment : 'https://export.invalid';
}

function anonymousAt(baseUrl: string): Deployment {
  return {
    baseUrl,
    allowHttp: true,
    scheme: 'anonymous',
    profile: undefined,
    credentials: () => ANONYMOUS,
  };
}

/** A way to send requests that carry no credentials: those of a login. */
export function bareSender(context: Context, baseUrl: string, scheme: Credentials['scheme']): Send {
  const { settings, environment, signal } = context;
  const transport = createTransport({ baseUrl, environment, timeout: timeoutOf(settings, scheme) });
  context.atEnd(() => transport.close());
  const send = withRetry(logged(context, baseUrl, scheme)(transport.send), {
    retries: settings.retries,
    onRetry: retryNotes(context),
  });
  return (request) => send({ ...request, signal: request.signal ?? signal });
}

/** Whoever waits for long wants to know what for; shorter waits are details. */
function retryNotes(context: Context): (retrying: Retrying) => void {
  return ({ message, retry, retries, wait, waited }) => {
    const say = waited >= LONG_WAIT ? context.note : context.detail;
    const times = Number.isFinite(retries) ? ` (${retry} of ${retries})` : '';
    say(`${message}; retrying in ${(wait / 1000).toFixed(1)} s${times}`);
  };
}

/**
 * Repeats `ask` for `within` milliseconds while the deployment cannot be reached or fails; the requests themselves are then not
 * retried unless the settings say so. Asks once when `within` is undefined.
 */
export async function untilUp<T>(
  context: Context,
  within: number | undefined,
  ask: (context: Context) => Promise<T>,
): Promise<T> {
  if (within === undefined) return ask(context);
  let client: Promise<Client> | undefined;
  const waiting: Context = {
    ...context,
    settings: { ...context.settings, retries: context.settings.retries ?? 0 },
    client: () => {
      client ??= connect(waiting);
      return client;
    },
  };
  return waitUntilUp(() => ask(waiting), { within, signal: context.signal, onRetry: retryNotes(context) });
}

/** With `--debug`, a line for each request and its response, without credentials. With `--dry-run`, nothing is sent. */
function logged(
  { dryRunLog, settings, note }: Context,
  baseUrl: string,
  scheme: Credentials['scheme'],
): (send: Send) => Send {
  if (dryRunLog) return () => unsent(dryRunLog, baseUrl, scheme);
  return settings.debug ? logExchanges({ baseUrl, write: note }) : (send) => send;
}
