/** The state of a login: the deployment, when the credentials expire, and whether the service accepts them. */
import type { Send } from '../client/http-request.js';
import { OpacError } from '../service/errors.js';
import { checkCredentials } from './check-credentials.js';
import type { AuthDependencies } from './dependencies.js';
import type { Deployment } from './deployment.js';
import type { ChallengeForm } from './flow/pkce.js';
import { readStoredToken } from './renewal.js';
import type { Profile, Scheme } from './store/profile.js';

export interface Status {
  readonly profile: string | undefined;
  readonly baseUrl: string;
  readonly scheme: Scheme;
  readonly clientId: string | undefined;
  readonly redirectURI: string | undefined;
  readonly challengeForm: ChallengeForm | undefined;
  readonly expires: Date | undefined;
  readonly works: boolean;
  readonly elapsed: number | undefined;
  readonly error: OpacError | undefined;
  /** Where each secret comes from: a file, the keyring, a variable, or `not stored`. */
  readonly kept: Readonly<Record<'accessToken' | 'basicKey' | 'clientSecret', string>>;
}

/** Renews the token if necessary and possible. Returns an OpacError of the check as `error` instead of throwing it. */
export async function getStatus(
  deployment: Deployment,
  send: Send,
  dependencies: AuthDependencies,
  signal?: AbortSignal,
): Promise<Status> {
  const { baseUrl, scheme } = deployment;
  const outcome = await tryCredentials(deployment, send, signal);
  // Reads the profile again, because the check may have renewed the token.
  const profile =
    deployment.profile && ((await dependencies.store.get(deployment.profile.name)) ?? deployment.profile);
  const fromEnvironment = Boolean(dependencies.environment.OPAC_ACCESS_TOKEN);
  const expiresAt = profile && !fromEnvironment ? readStoredToken(profile)?.expiresAt : undefined;
  return {
    profile: profile?.name,
    baseUrl,
    scheme,
    clientId: dependencies.environment.OPAC_CLIENT_ID || profile?.clientId,
    redirectURI: dependencies.environment.OPAC_REDIRECT_URI || profile?.redirectURI,
    challengeForm: profile?.challengeForm,
    expires: expiresAt === undefined ? undefined : new Date(expiresAt),
    ...outcome,
    kept: await describeSecretLocations(profile, dependencies),
  };
}

async function tryCredentials(
  deployment: Deployment,
  send: Send,
  signal: AbortSignal | undefined,
): Promise<Pick<Status, 'works' | 'elapsed' | 'error'>> {
  try {
    const connection = { send, baseUrl: deployment.baseUrl };
    const elapsed = await checkCredentials(connection, deployment.credentials(send), signal);
    return { works: true, elapsed, error: undefined };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof OpacError)) throw error;
    return { works: false, elapsed: undefined, error };
  }
}

async function describeSecretLocations(
  profile: Profile | undefined,
  { environment, store }: Pick<AuthDependencies, 'environment' | 'store'>,
): Promise<Status['kept']> {
  const file = profile && `profile file ${await store.path()} (mode 0600)`;
  const describe = (variable: string, secret: string | undefined, otherPlace = 'not stored') => {
    if (environment[variable]) return `environment (${variable})`;
    return secret !== undefined && file ? file : otherPlace;
  };
  const keyring = profile?.secretInKeyring ? 'keyring' : undefined;
  return {
    accessToken: describe('OPAC_ACCESS_TOKEN', profile?.accessToken),
    basicKey: describe('OPAC_BASIC_KEY', profile?.basicKey),
    clientSecret: describe('OPAC_CLIENT_SECRET', profile?.clientSecret, keyring),
  };
}
