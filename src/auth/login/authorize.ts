/** The part of a login that ends with an access token: client, method, code, exchange, and the keeping of the secret. */
import { UsageError } from '../../service/errors.js';
import type { Client, ObtainCode } from '../flow/authorization.js';
import { obtainToken } from '../flow/obtain-token.js';
import { DEFAULT_CHALLENGE_FORM } from '../flow/pkce.js';
import { parseRedirectURI } from '../flow/redirect-uri.js';
import type { AccessToken } from '../flow/token-exchange.js';
import type { Profile } from '../store/profile.js';
import { keepSecret, recallSecret } from '../store/secrets.js';
import { codeByBrowser } from './browser.js';
import { codeByRequest } from './headless.js';
import type { LoginContext } from './login-context.js';
import { fittingMethod, type LoginMethod } from './method.js';
import { codeByPaste } from './paste.js';

/** How long the browser may take, in milliseconds. */
const DEFAULT_TIMEOUT = 5 * 60_000;

/** Gets an access token as the flags say, asking for what is missing, and gives the profile that keeps it. */
export async function authorizeClient(
  acquisition: LoginContext,
): Promise<{ readonly profile: Profile; readonly token: AccessToken; readonly method: LoginMethod }> {
  const { draft, known, service, options, dependencies } = acquisition;
  const { client, recalled } = await findClient(acquisition);
  const method = chooseMethod(acquisition, client.redirectURI);
  const preferred = options.challengeForm ?? known?.challengeForm ?? DEFAULT_CHALLENGE_FORM;
  if (preferred === 'PLAIN' && method !== 'headless') {
    dependencies.notice('a PLAIN challenge is the verifier itself: show the address below to nobody');
  }
  const { token, form } = await obtainToken({
    service,
    client,
    form: preferred,
    obtainCode: METHODS[method](acquisition),
    now: dependencies.now,
    signal: dependencies.signal,
    notice: dependencies.notice,
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
  return { profile: await withSecret(profile, client.clientSecret, recalled, acquisition), token, method };
}

/** The client: flag, environment, profile, question; the secret never from a flag. `recalled`: the profile keeps the secret. */
async function findClient({
  known,
  options,
  dependencies,
}: LoginContext): Promise<{ readonly client: Client; readonly recalled: boolean }> {
  const { environment, prompt, openKeyring } = dependencies;
  const clientId = await given('client id', '--client-id or OPAC_CLIENT_ID', [
    () => options.clientId ?? environment.OPAC_CLIENT_ID,
    () => known?.clientId,
    () => prompt.ask('Client id: '),
  ]);
  const redirectURI = await given('redirect URI', '--redirect-uri or OPAC_REDIRECT_URI', [
    () => options.redirectURI ?? environment.OPAC_REDIRECT_URI,
    () => known?.redirectURI,
    () => prompt.ask('Redirect URI, as registered with the API key: '),
  ]);
  parseRedirectURI(redirectURI);
  const kept =
    known?.clientId === clientId && !environment.OPAC_CLIENT_SECRET
      ? await recallSecret(known, openKeyring)
      : undefined;
  const clientSecret = await given('client secret', 'OPAC_CLIENT_SECRET or standard input', [
    () => environment.OPAC_CLIENT_SECRET,
    () => kept,
    () => prompt.secret('Client secret: '),
  ]);
  return { client: { clientId, clientSecret, redirectURI }, recalled: kept !== undefined };
}

/** The first that is there. Throws a UsageError when none is. */
async function given(
  what: string,
  how: string,
  places: readonly (() => string | undefined | Promise<string | undefined>)[],
): Promise<string> {
  for (const place of places) {
    const value = (await place())?.trim();
    if (value) return value;
  }
  throw new UsageError(`no ${what} was given`, `give it with ${how}`);
}

function chooseMethod({ options, dependencies }: LoginContext, redirectURI: string): LoginMethod {
  if (options.method) return options.method;
  const { method, reason } = fittingMethod(redirectURI, dependencies.environment, dependencies.platform);
  if (reason) dependencies.notice(`${reason}; going on with --method ${method}`);
  return method;
}

/** How each method comes by a code. */
const METHODS: Readonly<Record<LoginMethod, (acquisition: LoginContext) => ObtainCode>> = {
  browser: ({ service: { baseUrl }, options, dependencies: { openBrowser, announce, notice, signal } }) =>
    codeByBrowser({
      baseUrl,
      open: openBrowser,
      announce: (url) => {
        announce(url);
        notice('waiting for the browser to come back; Ctrl-C ends it');
      },
      notice,
      timeout: options.timeout ?? DEFAULT_TIMEOUT,
      signal,
    }),
  headless: ({ service, dependencies }) => codeByRequest(service, dependencies.signal),
  paste: ({ service: { baseUrl }, dependencies: { announce, notice, prompt } }) =>
    codeByPaste({ baseUrl, announce, notice, ask: prompt.line }),
};

/** A secret that was kept already stays where it is, unless the flags say otherwise. */
async function withSecret(
  profile: Profile,
  secret: string,
  recalled: boolean,
  { known, options, dependencies }: LoginContext,
): Promise<Profile> {
  const remember = options.rememberSecret ?? false;
  const insecure = options.insecureStorage ?? false;
  if (recalled && known && !remember && !insecure) {
    const { secretInKeyring, clientSecret } = known;
    return {
      ...profile,
      ...(secretInKeyring && { secretInKeyring }),
      ...(clientSecret !== undefined && { clientSecret }),
    };
  }
  return keepSecret(profile, secret, { remember, insecure }, dependencies.openKeyring, dependencies.notice);
}
