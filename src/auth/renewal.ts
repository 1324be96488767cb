/** The access token of a profile: read from the store, shared with other processes, and renewed automatically. */
import type { TokenSource } from './credentials.js';
import type { AuthDependencies } from './dependencies.js';
import type { Connection } from './flow/authorization.js';
import { type ChallengeForm, DEFAULT_CHALLENGE_FORM } from './flow/pkce.js';
import { requestToken } from './flow/request-token.js';
import type { AccessToken } from './flow/token-exchange.js';
import { requestCodeHeadless } from './login/headless.js';
import type { Profile } from './store/profile.js';
import { loadSecret } from './store/secrets.js';

export function readStoredToken({ accessToken, issuedAt, expiresAt }: Profile): AccessToken | undefined {
  if (accessToken === undefined || issuedAt === undefined || expiresAt === undefined) return undefined;
  return { value: accessToken, issuedAt, expiresAt };
}

/** Returns only `renewToken` if there is no profile, or if the environment names another client than the profile. */
export function createProfileTokenSource(
  connection: Connection,
  profile: Profile | undefined,
  { environment, store, openKeyring, now, note }: AuthDependencies,
): Pick<TokenSource, 'token' | 'load' | 'save' | 'renewToken'> {
  const clientId = environment.OPAC_CLIENT_ID || profile?.clientId;
  const redirectURI = environment.OPAC_REDIRECT_URI || profile?.redirectURI;
  const clientProfile = profile?.clientId === clientId ? profile : undefined;
  let form: ChallengeForm = profile?.challengeForm ?? DEFAULT_CHALLENGE_FORM;

  async function renewToken(): Promise<AccessToken | undefined> {
    if (!clientId || !redirectURI) return undefined;
    const clientSecret =
      environment.OPAC_CLIENT_SECRET || (clientProfile && (await loadSecret(clientProfile, openKeyring)));
    if (!clientSecret) return undefined;
    const client = { clientId, clientSecret, redirectURI };
    const requestCode = requestCodeHeadless(connection);
    const renewed = await requestToken({ connection, client, form, requestCode, now });
    form = renewed.form;
    return renewed.token;
  }
  if (!clientProfile) return { renewToken };

  return {
    token: readStoredToken(clientProfile),
    load: async () => {
      const current = await store.get(clientProfile.name);
      return current && isSameClient(current, clientProfile) ? readStoredToken(current) : undefined;
    },
    save: async ({ value, issuedAt, expiresAt }) => {
      try {
        await store.update(clientProfile.name, (current) =>
          isSameClient(current, clientProfile)
            ? { ...current, challengeForm: form, accessToken: value, issuedAt, expiresAt }
            : undefined,
        );
      } catch {
        note('cannot save the renewed access token');
      }
    },
    renewToken,
  };
}

/** Compares two versions of a profile, because another process may have changed the stored profile. */
const isSameClient = (one: Profile, other: Profile) =>
  one.baseUrl === other.baseUrl && one.clientId === other.clientId && one.scheme === other.scheme;
