/** `opac login --dry-run` and `opac token --dry-run`: the requests of a login. */
import { checkCredentials } from '../../auth/check-credentials.js';
import { DEFAULT_CHALLENGE_FORM } from '../../auth/flow/pkce.js';
import type { LoginOptions } from '../../auth/login/login-context.js';
import type { Profile } from '../../auth/store/profile.js';
import { parseBaseUrl } from '../../client/base-url.js';
import { ANONYMOUS } from '../../client/credentials.js';
import { UsageError } from '../../service/errors.js';
import type { Context, DryRunLog } from '../context.js';
import { MOCK_ADDRESS } from '../defaults.js';
import { loginScript } from './login-script.js';
import { unsent } from './unsent.js';

/** Logs the requests of a login. Throws a UsageError when no deployment is named. */
export async function dryRunLogin(context: Context, log: DryRunLog, flags: LoginOptions): Promise<void> {
  const { settings } = context;
  if (settings.mock) log.push(`# "opac mock" serves the built-in museum at ${MOCK_ADDRESS}`);
  const profile = settings.mock ? undefined : await profileOf(context);
  const address = settings.mock ? MOCK_ADDRESS : (settings.baseUrl ?? profile?.baseUrl);
  if (address === undefined) throw new UsageError('no deployment given', 'set it with --base-url');
  const baseUrl = parseBaseUrl(address, { allowHttp: settings.allowHttp ?? profile?.allowHttp ?? false });
  const { scheme = 'bearer' } = flags;
  if (scheme === 'bearer') log.push(...tokenScript(context, baseUrl, profile, flags));
  await checkCredentials({ baseUrl, send: unsent(log, baseUrl, scheme) }, ANONYMOUS);
}

/** The requests that get an access token. Flags take precedence over the environment and the profile. */
export function tokenScript(
  { environment }: Context,
  baseUrl: string,
  profile: Profile | undefined,
  flags: LoginOptions = {},
): string[] {
  const known = profile?.baseUrl === baseUrl ? profile : undefined;
  return loginScript({
    baseUrl,
    clientId: flags.clientId ?? (environment.OPAC_CLIENT_ID || known?.clientId),
    redirectURI: flags.redirectURI ?? (environment.OPAC_REDIRECT_URI || known?.redirectURI),
    form: flags.challengeForm ?? known?.challengeForm ?? DEFAULT_CHALLENGE_FORM,
  });
}

async function profileOf(context: Context): Promise<Profile | undefined> {
  const store = await context.profiles();
  const name = context.settings.profile ?? (await store.names()).current;
  return name === undefined ? undefined : store.get(name);
}
