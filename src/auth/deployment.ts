/** Which deployment is meant, and as whom: flag before environment before profile. */
import { parseBaseUrl } from '../client/base-url.js';
import { ANONYMOUS, type Credentials } from '../client/credentials.js';
import type { Send } from '../client/exchange.js';
import type { Environment } from '../client/layers/proxy.js';
import { OpacError, UsageError } from '../service/errors.js';
import {
  basicCredentials,
  bearerCredentials,
  headerValue,
  LOGIN_HINT,
  missingCredentials,
} from './credentials.js';
import { renewalFor } from './renewal.js';
import type { Sources } from './sources.js';
import { isAt, type Profile, type Scheme } from './store/profile.js';
import type { ProfileStore } from './store/profiles.js';

/** What the flags say. */
export interface DeploymentFlags {
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly allowHttp?: boolean | undefined;
}

export interface Deployment {
  /** As `parseBaseUrl` gives it. */
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly scheme: Scheme;
  /** The profile in use; undefined when flags and environment say everything, or name another deployment than it. */
  readonly profile: Profile | undefined;
  /** Makes the credentials; `send` takes the requests of a renewal, which carry none. */
  readonly credentials: (send: Send) => Credentials;
}

/**
 * Finds the deployment and its credentials. The credentials of a profile are used for its own base URL only.
 * Throws a UsageError when a profile is named that is not there, or an address is none; an OpacError of kind `auth` when no
 * deployment is named at all.
 */
export async function findDeployment(flags: DeploymentFlags, sources: Sources): Promise<Deployment> {
  const { environment } = sources;
  const name = flags.profile ?? (environment.OPAC_PROFILE || undefined);
  const address = flags.baseUrl ?? (environment.OPAC_BASE_URL || undefined);
  const saysEverything =
    name === undefined &&
    address !== undefined &&
    Boolean(environment.OPAC_ACCESS_TOKEN || environment.OPAC_BASIC_KEY);
  const found = saysEverything ? undefined : await findProfile(name, sources.store);
  if (address === undefined && !found) {
    throw new OpacError('auth', 'no deployment is named, and no profile is in use', {
      hint: `${LOGIN_HINT}, name one with --base-url, or try --mock`,
    });
  }
  const profile = found && (address === undefined || isAt(found, address)) ? found : undefined;
  if (found && !profile && name !== undefined) {
    sources.notice(`the base URL is not that of the profile "${name}", so its credentials are not used`);
  }
  const allowHttp = flags.allowHttp || profile?.allowHttp || false;
  const baseUrl = parseBaseUrl(address ?? found?.baseUrl ?? '', { allowHttp });
  const source = sourceOf(profile, environment);
  return {
    baseUrl,
    allowHttp,
    profile,
    scheme: source.scheme,
    credentials: (send) => source.credentials({ service: { send, baseUrl }, profile, sources }),
  };
}

async function findProfile(name: string | undefined, store: ProfileStore): Promise<Profile | undefined> {
  if (name !== undefined) {
    const profile = await store.get(name);
    if (profile) return profile;
    const { names } = await store.names();
    throw new UsageError(
      `there is no profile "${name}"`,
      names.length === 0 ? LOGIN_HINT : `there is ${names.join(', ')}`,
    );
  }
  const { current } = await store.names();
  return current === undefined ? undefined : store.get(current);
}

interface Given {
  readonly service: { readonly send: Send; readonly baseUrl: string };
  readonly profile: Profile | undefined;
  readonly sources: Sources;
}

/** One place where credentials come from. */
interface Source {
  readonly scheme: Scheme;
  readonly holds: (profile: Profile | undefined, environment: Environment) => boolean;
  readonly credentials: (given: Given) => Credentials;
}

/** Whether the environment alone is enough for an authorization. */
const hasClient = ({ OPAC_CLIENT_ID, OPAC_CLIENT_SECRET, OPAC_REDIRECT_URI }: Environment) =>
  Boolean(OPAC_CLIENT_ID && OPAC_CLIENT_SECRET && OPAC_REDIRECT_URI);

/** The first that holds, holds. */
const SOURCES: readonly Source[] = [
  {
    scheme: 'bearer',
    holds: (_, environment) => Boolean(environment.OPAC_ACCESS_TOKEN),
    credentials: ({ service, profile, sources }) =>
      bearerCredentials({
        // Its life is not known: it is used until it is rejected.
        token: {
          value: headerValue(sources.environment.OPAC_ACCESS_TOKEN ?? '', 'OPAC_ACCESS_TOKEN'),
          issuedAt: 0,
          expiresAt: Number.POSITIVE_INFINITY,
        },
        obtain: renewalFor(service, profile, sources).obtain,
        now: sources.now,
        hint: 'put a token that is still good into OPAC_ACCESS_TOKEN',
      }),
  },
  {
    scheme: 'basic',
    holds: (_, environment) => Boolean(environment.OPAC_BASIC_KEY),
    credentials: ({ sources }) =>
      basicCredentials(
        headerValue(sources.environment.OPAC_BASIC_KEY ?? '', 'OPAC_BASIC_KEY'),
        'check OPAC_BASIC_KEY',
      ),
  },
  {
    scheme: 'basic',
    holds: (profile) => profile?.scheme === 'basic',
    credentials: ({ profile }) => {
      const hint = 'log in with "opac login --basic-key"';
      return profile?.basicKey === undefined
        ? missingCredentials('basic', 'basic key', hint)
        : basicCredentials(profile.basicKey, hint);
    },
  },
  {
    scheme: 'bearer',
    holds: (profile, environment) => profile?.scheme === 'bearer' || hasClient(environment),
    credentials: ({ service, profile, sources }) =>
      bearerCredentials({ ...renewalFor(service, profile, sources), now: sources.now }),
  },
  { scheme: 'anonymous', holds: () => true, credentials: () => ({ ...ANONYMOUS, hint: LOGIN_HINT }) },
];

function sourceOf(profile: Profile | undefined, environment: Environment): Source {
  return SOURCES.find(({ holds }) => holds(profile, environment)) as Source;
}
