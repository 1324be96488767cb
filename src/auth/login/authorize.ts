/** Gets an access token: finds the client id and secret, chooses the login method, requests the token, and stores the secret. */
import { UsageError } from '../../service/errors.js';
import type { OAuthClient, RequestCode } from '../flow/authorization.js';
import { DEFAULT_CHALLENGE_FORM } from '../flow/pkce.js';
import { parseRedirectURI } from '../flow/redirect-uri.js';
import { requestToken } from '../flow/request-token.js';
import type { AccessToken } from '../flow/token-exchange.js';
import type { Profile } from '../store/profile.js';
import { loadSecret, saveSecret } from '../store/secrets.js';
import { requestCodeInBrowser } from './browser.js';
import { requestCodeHeadless } from './headless.js';
import type { LoginContext } from './login-context.js';
import { chooseDefaultMethod, type LoginMethod } from './method-names.js';
import { requestCodeByPaste } from './paste.js';

const DEFAULT_TIMEOUT_MS = 5 * 60_000;

const REQUEST_CODE: Readonly<Record<LoginMethod, (context: LoginContext) => RequestCode>> = {
  browser: ({ connection: { baseUrl }, options: { timeout = DEFAULT_TIMEOUT_MS }, dependencies }) =>
    requestCodeInBrowser({ ...dependencies, baseUrl, timeout }),
  headless: ({ connection, dependencies }) => requestCodeHeadless(connection, dependencies.signal),
  paste: ({ connection: { baseUrl }, dependencies }) =>
    requestCodeByPaste({ ...dependencies, baseUrl, ask: dependencies.prompt.lineFromTerminalOrPipe }),
};

/** Prompts for missing values. Returns the token, the method and the profile to save. */
export async function authorizeClient(
  context: LoginContext,
): Promise<{ readonly profile: Profile; readonly token: AccessToken; readonly method: LoginMethod }> {
  const { draft, saved, connection, options, dependencies } = context;
  const { now, signal, note } = dependencies;
  const { client, wasStored } = await findClient(context);
  const method = chooseMethod(context, client.redirectURI);
  const preferred = options.challengeForm ?? saved?.challengeForm ?? DEFAULT_CHALLENGE_FORM;
  if (preferred === 'PLAIN' && method !== 'headless') {
    note('with PLAIN, the URL below contains the code verifier; keep it secret');
  }
  const { token, form } = await requestToken({
    connection,
    client,
    form: preferred,
    requestCode: REQUEST_CODE[method](context),
    now,
    signal,
    note,
  });
  const profile: Profile = {
    ...draft,
    clientId: client.clientId,
    redirectURI: client.redirectURI,
    challengeForm: form,
    accessToken: token.value,
    issuedAt: token.issuedAt,
    expiresAt: token.expiresAt,
  };
  return { profile: await storeSecret(profile, client.clientSecret, wasStored, context), token, method };
}

/** `wasStored` is true if the client secret comes from the profile or the keyring. */
async function findClient({
  saved,
  options,
  dependencies,
}: LoginContext): Promise<{ readonly client: OAuthClient; readonly wasStored: boolean }> {
  const { environment, prompt, openKeyring } = dependencies;
  const clientId = await resolveFirst(
    'client id',
    '--client-id or OPAC_CLIENT_ID; if the deployment needs no credentials, use --anonymous',
    [
      () => options.clientId ?? environment.OPAC_CLIENT_ID,
      () => saved?.clientId,
      () => prompt.lineFromTerminal('Client id: '),
    ],
  );
  const redirectURI = await resolveFirst('redirect URI', '--redirect-uri or OPAC_REDIRECT_URI', [
    () => options.redirectURI ?? environment.OPAC_REDIRECT_URI,
    () => saved?.redirectURI,
    () => prompt.lineFromTerminal('Redirect URI, as registered with the API key: '),
  ]);
  parseRedirectURI(redirectURI);
  const stored =
    saved?.clientId === clientId && !environment.OPAC_CLIENT_SECRET
      ? await loadSecret(saved, openKeyring)
      : undefined;
  const clientSecret = await resolveFirst('client secret', 'OPAC_CLIENT_SECRET or standard input', [
    () => environment.OPAC_CLIENT_SECRET,
    () => stored,
    () => prompt.secret('Client secret: '),
  ]);
  return { client: { clientId, clientSecret, redirectURI }, wasStored: stored !== undefined };
}

async function resolveFirst(
  name: string,
  how: string,
  sources: readonly (() => string | undefined | Promise<string | undefined>)[],
): Promise<string> {
  for (const source of sources) {
    const value = (await source())?.trim();
    if (value) return value;
  }
  throw new UsageError(`no ${name} given`, `set it with ${how}`);
}

function chooseMethod({ options, dependencies }: LoginContext, redirectURI: string): LoginMethod {
  if (options.method) return options.method;
  const { method, reason } = chooseDefaultMethod(
    redirectURI,
    dependencies.environment,
    dependencies.platform,
  );
  if (reason) dependencies.note(`${reason}; using --method ${method}`);
  return method;
}

/** Stores the secret if an option requests this. A stored secret stays where it is, unless an option requests another place. */
async function storeSecret(
  profile: Profile,
  secret: string,
  wasStored: boolean,
  { saved, options, dependencies }: LoginContext,
): Promise<Profile> {
  const remember = options.rememberSecret ?? false;
  const insecure = options.insecureStorage ?? false;
  if (wasStored && saved && !remember && !insecure) {
    const { secretInKeyring, clientSecret } = saved;
    return {
      ...profile,
      ...(secretInKeyring && { secretInKeyring }),
      ...(clientSecret !== undefined && { clientSecret }),
    };
  }
  return saveSecret(profile, secret, { remember, insecure }, dependencies.openKeyring, dependencies.note);
}
