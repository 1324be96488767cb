/** What stands between the person and the deployment at this moment: who, where, until when, and whether it works. */
import type { Send } from '../client/exchange.js';
import { OpacError } from '../service/errors.js';
import type { Deployment } from './deployment.js';
import type { ChallengeForm } from './flow/pkce.js';
import { probe } from './probe.js';
import { keptToken } from './renewal.js';
import type { Sources } from './sources.js';
import type { Profile, Scheme } from './store/profile.js';

export interface Status {
  /** The profile in use, if one is. */
  readonly profile: string | undefined;
  readonly baseUrl: string;
  readonly scheme: Scheme;
  readonly clientId: string | undefined;
  readonly redirectURI: string | undefined;
  readonly challengeForm: ChallengeForm | undefined;
  /** When the access token ends, where that is known. */
  readonly expires: Date | undefined;
  readonly works: boolean;
  /** How long the deployment took to answer something small, in milliseconds. */
  readonly elapsed: number | undefined;
  /** Why it does not work, and what the person can do. */
  readonly problem: string | undefined;
  readonly hint: string | undefined;
  /** Where each secret lies, in words. */
  readonly kept: Readonly<Record<'accessToken' | 'basicKey' | 'clientSecret', string>>;
}

/** Tries the deployment, renewing the token when that is needed and possible. Throws only when aborted. */
export async function statusOf(
  deployment: Deployment,
  send: Send,
  sources: Sources,
  signal?: AbortSignal,
): Promise<Status> {
  const { baseUrl, scheme } = deployment;
  const outcome = await tried(deployment, send, signal);
  // The question may have renewed the token.
  const profile =
    deployment.profile && ((await sources.store.get(deployment.profile.name)) ?? deployment.profile);
  const fromEnvironment = Boolean(sources.environment.OPAC_ACCESS_TOKEN);
  const expiresAt = profile && !fromEnvironment ? keptToken(profile)?.expiresAt : undefined;
  return {
    profile: profile?.name,
    baseUrl,
    scheme,
    clientId: sources.environment.OPAC_CLIENT_ID || profile?.clientId,
    redirectURI: sources.environment.OPAC_REDIRECT_URI || profile?.redirectURI,
    challengeForm: profile?.challengeForm,
    expires: expiresAt === undefined ? undefined : new Date(expiresAt),
    ...outcome,
    kept: await placesOf(profile, sources),
  };
}

type Outcome = Pick<Status, 'works' | 'elapsed' | 'problem' | 'hint'>;

async function tried(deployment: Deployment, send: Send, signal: AbortSignal | undefined): Promise<Outcome> {
  try {
    const service = { send, baseUrl: deployment.baseUrl };
    const elapsed = await probe(service, deployment.credentials(send), signal);
    return { works: true, elapsed, problem: undefined, hint: undefined };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof OpacError)) throw error;
    return { works: false, elapsed: undefined, problem: error.message, hint: error.hint };
  }
}

/** Where the secrets of a profile lie, in words; the environment goes before the profile. */
async function placesOf(
  profile: Profile | undefined,
  { environment, store }: Pick<Sources, 'environment' | 'store'>,
): Promise<Status['kept']> {
  const file = profile && `profile file ${await store.path()} (mode 0600)`;
  const place = (variable: string, inFile: boolean) => {
    if (environment[variable]) return `environment (${variable})`;
    return inFile && file ? file : 'not stored';
  };
  return {
    accessToken: place('OPAC_ACCESS_TOKEN', profile?.accessToken !== undefined),
    basicKey: place('OPAC_BASIC_KEY', profile?.basicKey !== undefined),
    clientSecret:
      profile?.secretInKeyring && !environment.OPAC_CLIENT_SECRET
        ? 'keyring'
        : place('OPAC_CLIENT_SECRET', profile?.clientSecret !== undefined),
  };
}
