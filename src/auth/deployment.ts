/** Which deployment to use, and with which credentials: option, then environment, then profile. */
import { parseBaseUrl } from '../client/base-url.js';
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import type { Send } from '../client/exchange.js';
import type { Environment } from '../client/wire/proxy.js';
import { OpacError } from '../service/errors.js';
import {
  basicCredentials,
  bearerCredentials,
  headerValue,
  LOGIN_HINT,
  missingCredentials,
  noCredentials,
  profileHint,
} from './credentials.js';
import type { AuthDependencies } from './dependencies.js';
import type { Connection } from './flow/authorization.js';
import { profileTokenSource } from './renewal.js';
import { hasSecrets, isForBaseUrl, type Profile, type Scheme } from './store/profile.js';
import type { ProfileStore } from './store/profiles.js';

export interface DeploymentOptions {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly allowHttp?: boolean | undefined;
}

export interface Deployment {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly scheme: Scheme;
  /** Undefined when it is not needed, or belongs to another deployment. */
  readonly profile: Profile | undefined;
  readonly credentials: (send: Send) => Credentials;
}

/** Throws a UsageError for an unknown profile or invalid address, an OpacError of kind `auth` without a deployment. */
export async function findDeployment(
  options: DeploymentOptions,
  dependencies: AuthDependencies,
): Promise<Deployment> {
  const { environment, store } = dependencies;
  const { name, address, found, profile } = await namedBy(options, environment, store);
  if (address === undefined && !found) {
    throw new OpacError('auth', 'no deployment given, and there is no current profile', {
      hint: `${LOGIN_HINT}, set one with --base-url, or try --mock`,
      code: 'no-deployment',
    });
  }
  if (found && !profile && name !== undefined) {
    dependencies.notice(`the credentials of profile "${name}" are not used: they are for ${found.baseUrl}`);
  }
  const allowHttp = options.allowHttp ?? profile?.allowHttp ?? false;
  const baseUrl = parseBaseUrl(address ?? found?.baseUrl ?? '', { allowHttp });
  const source = sourceOf(profile, environment);
  return {
    baseUrl,
    allowHttp,
    profile,
    scheme: source.scheme,
    credentials: (send) => source.credentials({ connection: { send, baseUrl }, profile, dependencies }),
  };
}

/** The profile whose settings and credentials a command uses. Throws a UsageError for an unknown one. */
export async function profileInUse(
  options: DeploymentOptions,
  environment: Environment,
  store: ProfileStore,
): Promise<Profile | undefined> {
  return (await namedBy(options, environment, store)).profile;
}

/** What options and environment name. No profile is read when they say everything; one of another address is not used. */
async function namedBy(options: DeploymentOptions, environment: Environment, store: ProfileStore) {
  const name = options.profile ?? (environment.OPAC_PROFILE || undefined);
  const address = options.baseUrl ?? (environment.OPAC_BASE_URL || undefined);
  const isComplete =
    name === undefined &&
    address !== undefined &&
    Boolean(environment.OPAC_ACCESS_TOKEN || environment.OPAC_BASIC_KEY);
  const found = isComplete ? undefined : await findProfile(name, store);
  const profile = found && (address === undefined || isForBaseUrl(found, address)) ? found : undefined;
  return { name, address, found, profile };
}

async function findProfile(name: string | undefined, store: ProfileStore): Promise<Profile | undefined> {
  if (name !== undefined) {
    return store.require(name);
  }
  const { current } = await store.names();
  return current === undefined ? undefined : store.get(current);
}

interface CredentialInputs {
  readonly connection: Connection;
  readonly profile: Profile | undefined;
  readonly dependencies: AuthDependencies;
}

interface CredentialSource {
  readonly scheme: Scheme;
  readonly applies: (profile: Profile | undefined, environment: Environment) => boolean;
  readonly credentials: (inputs: CredentialInputs) => Credentials;
}

const hasClient = ({ OPAC_CLIENT_ID, OPAC_CLIENT_SECRET, OPAC_REDIRECT_URI }: Environment) =>
  Boolean(OPAC_CLIENT_ID && OPAC_CLIENT_SECRET && OPAC_REDIRECT_URI);

/** What an authorization needs of the environment, by the names of people. */
const CLIENT_VARIABLES = {
  OPAC_CLIENT_ID: 'client id',
  OPAC_CLIENT_SECRET: 'client secret',
  OPAC_REDIRECT_URI: 'redirect URI',
} as const;

/** The variables of a client that the environment leaves out though it names others. */
function missingVariables(environment: Environment): readonly (keyof typeof CLIENT_VARIABLES)[] {
  const names = Object.keys(CLIENT_VARIABLES) as (keyof typeof CLIENT_VARIABLES)[];
  const missing = names.filter((name) => !environment[name]);
  return missing.length === names.length ? [] : missing;
}

const SECRETS = ['OPAC_ACCESS_TOKEN', 'OPAC_BASIC_KEY', ...Object.keys(CLIENT_VARIABLES)];

/** A variable to log in with that is there and empty. */
function emptyVariable(environment: Environment): string | undefined {
  return SECRETS.find((name) => environment[name]?.trim() === '');
}

/** Whether neither the profile nor the environment has anything to log in with: no request is kept back for that. */
function isLoggedOut(profile: Profile | undefined, environment: Environment): boolean {
  return (
    profile !== undefined &&
    profile.scheme !== 'anonymous' &&
    !hasSecrets(profile) &&
    missingVariables(environment).length === 0 &&
    !hasClient(environment) &&
    emptyVariable(environment) === undefined
  );
}

/** The first that applies is used. */
const CREDENTIAL_SOURCES: readonly CredentialSource[] = [
  {
    scheme: 'bearer',
    applies: (_, environment) => Boolean(environment.OPAC_ACCESS_TOKEN),
    credentials: ({ connection, profile, dependencies }) =>
      bearerCredentials({
        // Its lifetime is not known: it is used until it is rejected.
        token: {
          value: headerValue(dependencies.environment.OPAC_ACCESS_TOKEN ?? '', 'OPAC_ACCESS_TOKEN'),
          issuedAt: 0,
          expiresAt: Number.POSITIVE_INFINITY,
        },
        newToken: profileTokenSource(connection, profile, dependencies).newToken,
        now: dependencies.now,
        hint: 'set OPAC_ACCESS_TOKEN to a valid token',
      }),
  },
  {
    scheme: 'basic',
    applies: (_, environment) => Boolean(environment.OPAC_BASIC_KEY),
    credentials: ({ dependencies }) =>
      basicCredentials(
        headerValue(dependencies.environment.OPAC_BASIC_KEY ?? '', 'OPAC_BASIC_KEY'),
        'check OPAC_BASIC_KEY',
      ),
  },
  {
    scheme: 'basic',
    applies: (profile, environment) => isLoggedOut(profile, environment) && profile?.scheme === 'basic',
    credentials: ({ profile }) => noCredentials('basic', profile?.name ?? '', ' --basic-key'),
  },
  {
    scheme: 'bearer',
    applies: isLoggedOut,
    credentials: ({ profile }) => noCredentials('bearer', profile?.name ?? ''),
  },
  {
    scheme: 'basic',
    applies: (profile) => profile?.scheme === 'basic',
    credentials: ({ profile }) => {
      const hint = profileHint(profile?.name ?? '', ' --basic-key');
      return profile?.basicKey === undefined
        ? missingCredentials('basic', 'basic key', hint)
        : basicCredentials(profile.basicKey, hint);
    },
  },
  {
    scheme: 'bearer',
    applies: (profile, environment) => profile?.scheme === 'bearer' || hasClient(environment),
    credentials: ({ connection, profile, dependencies }) =>
      bearerCredentials({
        ...profileTokenSource(connection, profile, dependencies),
        now: dependencies.now,
        profile: profile?.name,
        hint: profile && profileHint(profile.name),
      }),
  },
  {
    // A misspelt variable must not pass as a deployment that is open to all.
    scheme: 'bearer',
    applies: (profile, environment) => !profile && missingVariables(environment).length > 0,
    credentials: ({ dependencies: { environment } }) => {
      const missing = missingVariables(environment);
      const what = missing.map((name) => CLIENT_VARIABLES[name]).join(' and no ');
      return missingCredentials('bearer', `${what} in the environment`, `set ${missing.join(' and ')}`);
    },
  },
  {
    // CI services make a secret that is not there an empty variable.
    scheme: 'bearer',
    applies: (profile, environment) => !profile && emptyVariable(environment) !== undefined,
    credentials: ({ dependencies: { environment } }) => {
      const name = emptyVariable(environment);
      return missingCredentials(
        'bearer',
        `value in ${name}`,
        `set ${name}, or unset it to log in with nothing`,
      );
    },
  },
  { scheme: 'anonymous', applies: () => true, credentials: () => ({ ...ANONYMOUS, hint: LOGIN_HINT }) },
];

function sourceOf(profile: Profile | undefined, environment: Environment): CredentialSource {
  return CREDENTIAL_SOURCES.find(({ applies }) => applies(profile, environment)) as CredentialSource;
}
