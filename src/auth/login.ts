/** Logs in: asks for missing values, checks the credentials, and saves the profile only if the service accepts them. */
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import { UsageError } from '../service/errors.js';
import { checkCredentials } from './check-credentials.js';
import { createBasicCredentials, createBearerCredentials, parseHeaderValue } from './credentials.js';
import { authorizeClient } from './login/authorize.js';
import type { LoginContext, LoginDependencies, LoginOptions } from './login/login-context.js';
import { resolveLoginTarget } from './login/login-target.js';
import type { LoginMethod } from './login/method-names.js';
import { readStoredToken } from './renewal.js';
import type { Profile, Scheme } from './store/profile.js';
import { deleteSecret } from './store/secrets.js';

interface LoginResult {
  readonly profile: string;
  readonly baseUrl: string;
  readonly scheme: Scheme;
  readonly method: LoginMethod | undefined;
  readonly expires: Date | undefined;
  /** Response time in milliseconds. */
  readonly elapsed: number;
  readonly file: string;
}

/** Throws a UsageError for a missing or invalid value, and an OpacError if the login fails or opac cannot save the profile. */
export async function login(options: LoginOptions, dependencies: LoginDependencies): Promise<LoginResult> {
  const { store, openKeyring, note, signal } = dependencies;
  await store.assertWritable();
  const { name, baseUrl, allowHttp, replaced, saved } = await resolveLoginTarget(options, dependencies);
  const scheme = options.scheme ?? 'bearer';
  const publicPage = options.publicPage ?? saved?.publicPage;
  const draft: Profile = {
    name,
    baseUrl,
    scheme,
    ...(allowHttp && { allowHttp }),
    ...(publicPage !== undefined && { publicPage }),
    ...(saved?.settings && { settings: saved.settings }),
  };
  const connection = { baseUrl, send: dependencies.connect(baseUrl, scheme) };
  const { profile, credentials, method } = await GET_CREDENTIALS[scheme]({
    draft,
    saved,
    connection,
    options,
    dependencies,
  });

  const elapsed = await checkCredentials(connection, credentials, signal);
  await store.save(profile);
  if (replaced && !profile.secretInKeyring) await deleteSecret(replaced, openKeyring, note);
  const expiresAt = readStoredToken(profile)?.expiresAt;
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

interface LoginCredentials {
  readonly profile: Profile;
  readonly credentials: Credentials;
  readonly method?: LoginMethod;
}

const GET_CREDENTIALS: Readonly<Record<Scheme, (context: LoginContext) => Promise<LoginCredentials>>> = {
  bearer: async (context) => {
    const { profile, token, method } = await authorizeClient(context);
    const { now } = context.dependencies;
    return {
      profile,
      credentials: createBearerCredentials({ token, renewToken: async () => undefined, now }),
      method,
    };
  },
  basic: async ({ draft, dependencies: { environment, prompt } }) => {
    const text = environment.OPAC_BASIC_KEY || (await prompt.secret('Basic key: '));
    if (!text) throw new UsageError('no basic key given', 'type it, or pass it on standard input');
    const basicKey = parseHeaderValue(text, 'the basic key');
    return {
      profile: { ...draft, basicKey },
      credentials: createBasicCredentials(
        basicKey,
        'check the basic key, and ask the operator of the service to enable it',
      ),
    };
  },
  anonymous: async ({ draft }) => ({
    profile: draft,
    credentials: { ...ANONYMOUS, hint: 'log in without --anonymous' },
  }),
};
