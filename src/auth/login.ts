/** A login from beginning to end: what is not known is asked, what was got is tried, and only then is it kept. */
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import { UsageError } from '../service/errors.js';
import { basicCredentials, bearerCredentials, headerValue } from './credentials.js';
import type { Service } from './flow/authorization.js';
import { authorizeClient } from './login/authorize.js';
import type { LoginContext, LoginDependencies, LoginOptions } from './login/login-context.js';
import type { LoginMethod } from './login/method.js';
import { placeOf } from './login/place.js';
import { probe } from './probe.js';
import { keptToken } from './renewal.js';
import type { Profile, Scheme } from './store/profile.js';
import { forgetSecret } from './store/secrets.js';

export interface LoginResult {
  readonly profile: string;
  readonly baseUrl: string;
  readonly scheme: Scheme;
  /** How the code was got; undefined for other schemes than bearer. */
  readonly method: LoginMethod | undefined;
  /** When the access token ends. */
  readonly expires: Date | undefined;
  /** How long the deployment took to answer something small, in milliseconds. */
  readonly elapsed: number;
  /** The file in which the profile lies. */
  readonly file: string;
}

/**
 * Logs in and keeps the profile. Nothing is kept when the deployment does not take the credentials or does not answer.
 * Throws a UsageError for what is missing or cannot be right, an OpacError of kind `auth` when the service refuses, of kind
 * `deployment` when it fails.
 */
export async function login(flags: LoginOptions, means: LoginDependencies): Promise<LoginResult> {
  const { store, openKeyring, notice, signal } = means;
  const { name, baseUrl, allowHttp, before, known } = await placeOf(flags, means);
  const scheme = flags.scheme ?? 'bearer';
  const publicPage = flags.publicPage ?? known?.publicPage;
  const begun: Profile = {
    name,
    baseUrl,
    scheme,
    ...(allowHttp && { allowHttp }),
    ...(publicPage !== undefined && { publicPage }),
  };
  const service: Service = { baseUrl, send: means.connect(baseUrl, scheme) };
  const { profile, credentials, method } = await ACQUIRE[scheme]({
    draft: begun,
    known,
    service,
    options: flags,
    dependencies: means,
  });

  const elapsed = await probe(service, credentials, signal);
  await store.put(profile);
  if (before && !profile.secretInKeyring) await forgetSecret(before, openKeyring, notice);
  const expiresAt = keptToken(profile)?.expiresAt;
  return {
    profile: name,
    baseUrl,
    scheme,
    method,
    expires: expiresAt === undefined ? undefined : new Date(expiresAt),
    elapsed,
    file: await store.path(),
  };
}

interface Acquired {
  readonly profile: Profile;
  readonly credentials: Credentials;
  readonly method?: LoginMethod;
}

/** How each scheme comes by its credentials. */
const ACQUIRE: Readonly<Record<Scheme, (acquisition: LoginContext) => Promise<Acquired>>> = {
  bearer: async (acquisition) => {
    const { profile, token, method } = await authorizeClient(acquisition);
    const credentials = bearerCredentials({
      token,
      obtain: async () => undefined,
      now: acquisition.dependencies.now,
    });
    return { profile, credentials, method };
  },
  basic: async ({ draft, dependencies: { environment, prompt } }) => {
    const given = environment.OPAC_BASIC_KEY || (await prompt.secret('Basic key: '));
    if (!given) throw new UsageError('no basic key was given', 'type it, or hand it in on standard input');
    const basicKey = headerValue(given, 'the basic key');
    return {
      profile: { ...draft, basicKey },
      credentials: basicCredentials(
        basicKey,
        'check the basic key; the operator of the service must enable it',
      ),
    };
  },
  anonymous: async ({ draft }) => ({ profile: draft, credentials: ANONYMOUS }),
};
