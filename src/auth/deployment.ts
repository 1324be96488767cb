/** Finds the deployment and the credentials: from options, then the environment, then the profile. */
import { parseBaseUrl } from '../client/base-url.js';
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import type { Send } from '../client/http-request.js';
import type { Environment } from '../client/transport/proxy.js';
import { OpacError, UsageError } from '../service/errors.js';
import {
  createBasicCredentials,
  createBearerCredentials,
  createLoggedOutCredentials,
  createMissingCredentials,
  createProfileHint,
  LOGIN_HINT,
  parseHeaderValue,
} from './credentials.js';
import type { AuthDependencies } from './dependencies.js';
import type { Connection } from './flow/authorization.js';
import { createProfileTokenSource } from './renewal.js';
import { hasSecrets, isForBaseUrl, type Profile, type Scheme } from './store/profile.js';
import type { ProfileStore } from './store/profile-store.js';

export interface DeploymentOptions {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly allowHttp?: boolean | undefined;
}

export interface Deployment {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly scheme: Scheme;
  /** Undefined if opac does not use a profile, or if the profile is for another deployment. */
  readonly profile: Profile | undefined;
  readonly credentials: (send: Send) => Credentials;
}

/** Throws an OpacError if there is neither a URL nor a profile, or if the URL or the profile cannot be used. */
export async function resolveDeployment(
  options: DeploymentOptions,
  dependencies: AuthDependencies,
): Promise<Deployment> {
  const { environment, store } = dependencies;
  const { name, url, found, profile } = await findSettings(options, environment, store);
  if (url === undefined && !found) {
    throw new OpacError('auth', 'no deployment given, and no profile is in use', {
      hint: `${LOGIN_HINT}, give a URL with --base-url, or try --mock`,
      code: 'no-deployment',
    });
  }
  if (found && !profile && name !== undefined) {
    dependencies.note(`ignoring the credentials of profile "${name}": they are for ${found.baseUrl}`);
  }
  const allowHttp = options.allowHttp ?? profile?.allowHttp ?? false;
  const baseUrl = parseBaseUrl(url ?? found?.baseUrl ?? '', { allowHttp });
  const source = chooseCredentials(profile, dependencies);
  return {
    baseUrl,
    allowHttp,
    profile,
    scheme: source.scheme,
    credentials: (send) => source.credentials({ send, baseUrl }),
  };
}

/** Returns the profile that `resolveDeployment` uses, if any. Throws an OpacError if the profile cannot be used. */
export async function resolveProfile(
  options: DeploymentOptions,
  environment: Environment,
  store: ProfileStore,
): Promise<Profile | undefined> {
  return (await findSettings(options, environment, store)).profile;
}

/** `found`: the selected profile, if opac needs a profile. `profile`: the same profile, unless it is for another URL. */
async function findSettings(options: DeploymentOptions, environment: Environment, store: ProfileStore) {
  const name = options.profile ?? (environment.OPAC_PROFILE || undefined);
  // An option takes precedence over a variable: `-p` selects the URL of the profile, even if OPAC_BASE_URL is set.
  const url = options.baseUrl ?? ((options.profile === undefined && environment.OPAC_BASE_URL) || undefined);
  if (options.profile !== undefined) await assertOwnCredentials(options.profile, environment, store);
  const isComplete =
    name === undefined &&
    url !== undefined &&
    Boolean(environment.OPAC_ACCESS_TOKEN || environment.OPAC_BASIC_KEY);
  const found = isComplete ? undefined : await findProfile(name, store);
  const profile = found && (url === undefined || isForBaseUrl(found, url)) ? found : undefined;
  return { name, url, found, profile };
}

/** Throws a UsageError if variables contain credentials for OPAC_BASE_URL, but the profile is for another deployment. */
async function assertOwnCredentials(
  name: string,
  environment: Environment,
  store: ProfileStore,
): Promise<void> {
  const { OPAC_BASE_URL: url } = environment;
  const variable = LOGIN_VARIABLES.find((each) => environment[each]);
  if (!url || !variable || isForBaseUrl(await store.getRequired(name), url)) return;
  throw new UsageError(
    `profile "${name}" is for another deployment than OPAC_BASE_URL and ${variable}`,
    `unset OPAC_BASE_URL and ${variable} to use the profile`,
  );
}

async function findProfile(name: string | undefined, store: ProfileStore): Promise<Profile | undefined> {
  if (name !== undefined) return store.getRequired(name);
  const { current } = await store.listNames();
  return current === undefined ? undefined : store.get(current);
}

interface CredentialSource {
  readonly scheme: Scheme;
  readonly credentials: (connection: Connection) => Credentials;
}

const CLIENT_VARIABLES = {
  OPAC_CLIENT_ID: 'client id',
  OPAC_CLIENT_SECRET: 'client secret',
  OPAC_REDIRECT_URI: 'redirect URI',
} as const;
const CLIENT_NAMES = Object.keys(CLIENT_VARIABLES) as (keyof typeof CLIENT_VARIABLES)[];
const LOGIN_VARIABLES = ['OPAC_ACCESS_TOKEN', 'OPAC_BASIC_KEY', ...CLIENT_NAMES];

function chooseCredentials(profile: Profile | undefined, dependencies: AuthDependencies): CredentialSource {
  const { environment, now } = dependencies;
  const token = environment.OPAC_ACCESS_TOKEN;
  const key = environment.OPAC_BASIC_KEY;
  if (token) return { scheme: 'bearer', credentials: readEnvironmentToken(token, profile, dependencies) };
  if (key) {
    const credentials = () =>
      createBasicCredentials(parseHeaderValue(key, 'OPAC_BASIC_KEY'), 'check OPAC_BASIC_KEY');
    return { scheme: 'basic', credentials };
  }
  if (profile && isLoggedOut(profile, environment))
    return { scheme: profile.scheme, credentials: () => createLoggedOutCredentials(profile) };
  if (profile?.scheme === 'basic') return { scheme: 'basic', credentials: () => readBasicKey(profile) };
  if (profile?.scheme === 'bearer' || CLIENT_NAMES.every((name) => environment[name])) {
    const credentials = (connection: Connection) =>
      createBearerCredentials({
        ...createProfileTokenSource(connection, profile, dependencies),
        now,
        profile: profile?.name,
        hint: profile && createProfileHint(profile),
      });
    return { scheme: 'bearer', credentials };
  }
  const missing = profile ? undefined : findMissingVariables(environment);
  if (missing) return { scheme: 'bearer', credentials: () => missing };
  return { scheme: 'anonymous', credentials: () => ({ ...ANONYMOUS, hint: LOGIN_HINT }) };
}

/** The lifetime of OPAC_ACCESS_TOKEN is not known, so requests use this token until the service rejects it. */
function readEnvironmentToken(token: string, profile: Profile | undefined, dependencies: AuthDependencies) {
  return (connection: Connection) =>
    createBearerCredentials({
      token: {
        value: parseHeaderValue(token, 'OPAC_ACCESS_TOKEN'),
        issuedAt: 0,
        expiresAt: Number.POSITIVE_INFINITY,
      },
      renewToken: createProfileTokenSource(connection, profile, dependencies).renewToken,
      now: dependencies.now,
      hint: 'set OPAC_ACCESS_TOKEN to a valid token',
    });
}

function readBasicKey(profile: Profile): Credentials {
  const hint = createProfileHint(profile);
  return profile.basicKey === undefined
    ? createMissingCredentials('basic', 'basic key', hint)
    : createBasicCredentials(profile.basicKey, hint);
}

function isLoggedOut(profile: Profile, environment: Environment): boolean {
  const hasNone = LOGIN_VARIABLES.every((name) => environment[name] === undefined);
  return profile.scheme !== 'anonymous' && !hasSecrets(profile) && hasNone;
}

/** A mistake in a variable must not lead to requests without credentials. CI services set a missing secret to an empty text. */
function findMissingVariables(environment: Environment): Credentials | undefined {
  const missing = CLIENT_NAMES.filter((name) => !environment[name]);
  if (missing.length < CLIENT_NAMES.length) {
    const what = missing.map((name) => CLIENT_VARIABLES[name]).join(' and no ');
    return createMissingCredentials('bearer', `${what} in the environment`, `set ${missing.join(' and ')}`);
  }
  const empty = LOGIN_VARIABLES.find((name) => environment[name]?.trim() === '');
  const hint = `set ${empty}, or unset it to send requests without credentials`;
  return empty === undefined ? undefined : createMissingCredentials('bearer', `value in ${empty}`, hint);
}
