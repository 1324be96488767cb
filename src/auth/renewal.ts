/** How the token of a profile is kept, shared with other runs, and renewed without a person. */

import type { TokenSource } from './credentials.js';
import type { Service } from './flow/authorization.js';
import { obtainToken } from './flow/obtain-token.js';
import { type ChallengeForm, DEFAULT_CHALLENGE_FORM } from './flow/pkce.js';
import type { AccessToken } from './flow/token-exchange.js';
import { codeByRequest } from './login/headless.js';
import type { Sources } from './sources.js';
import type { Profile } from './store/profile.js';
import { recallSecret } from './store/secrets.js';

/** The token that a profile keeps. */
export function keptToken({ accessToken, issuedAt, expiresAt }: Profile): AccessToken | undefined {
  if (accessToken === undefined || issuedAt === undefined || expiresAt === undefined) return undefined;
  return { value: accessToken, issuedAt, expiresAt };
}

/**
 * The token of the profile, where it is kept, and its renewal by a headless authorization. The client of the environment
 * goes before that of the profile; when it is another one, the profile's token and secret are not its own.
 */
export function renewalFor(
  service: Service,
  profile: Profile | undefined,
  { environment, store, openKeyring, now, notice }: Sources,
): Pick<TokenSource, 'token' | 'load' | 'save' | 'obtain'> {
  const clientId = environment.OPAC_CLIENT_ID || profile?.clientId;
  const redirectURI = environment.OPAC_REDIRECT_URI || profile?.redirectURI;
  const own = profile?.clientId === clientId ? profile : undefined;
  let form: ChallengeForm = profile?.challengeForm ?? DEFAULT_CHALLENGE_FORM;

  async function obtain(signal: AbortSignal): Promise<AccessToken | undefined> {
    if (!clientId || !redirectURI) return undefined;
    const clientSecret = environment.OPAC_CLIENT_SECRET || (own && (await recallSecret(own, openKeyring)));
    if (!clientSecret) return undefined;
    const client = { clientId, clientSecret, redirectURI };
    const obtainCode = codeByRequest(service, signal);
    const obtained = await obtainToken({ service, client, form, obtainCode, now, signal });
    form = obtained.form;
    return obtained.token;
  }
  if (!own) return { obtain };

  return {
    token: keptToken(own),
    load: async () => {
      const current = await store.get(own.name);
      return current && isSame(current, own) ? keptToken(current) : undefined;
    },
    save: async ({ value, issuedAt, expiresAt }) => {
      try {
        await store.update(own.name, (current) =>
          isSame(current, own)
            ? { ...current, challengeForm: form, accessToken: value, issuedAt, expiresAt }
            : undefined,
        );
      } catch {
        // The run can go on with the token it has.
        notice('the renewed access token could not be kept for the next run');
      }
    },
    obtain,
  };
}

/** Whether the profile is still that of the same client of the same deployment: it may have been changed meanwhile. */
const isSame = (one: Profile, other: Profile) =>
  one.baseUrl === other.baseUrl && one.clientId === other.clientId && one.scheme === other.scheme;
