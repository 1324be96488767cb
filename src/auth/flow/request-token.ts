/** Gets an access token: requests a code, and exchanges it. If a challenge is refused, tries once more with another form. */
import { type Connection, createAuthorization, type OAuthClient, type RequestCode } from './authorization.js';
import { OAuthError } from './oauth-error.js';
import { type ChallengeForm, FALLBACK_FORM } from './pkce.js';
import { type AccessToken, exchangeCode } from './token-exchange.js';

interface RequestTokenOptions {
  readonly connection: Connection;
  readonly client: OAuthClient;
  readonly form: ChallengeForm;
  readonly requestCode: RequestCode;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly note?: (message: string) => void;
}

/** Returns the token and the form of challenge that the service accepts. Throws the first error if both forms are refused. */
export async function requestToken(
  options: RequestTokenOptions,
): Promise<{ readonly token: AccessToken; readonly form: ChallengeForm }> {
  const { form } = options;
  try {
    return { token: await requestOnce(options, form), form };
  } catch (error) {
    if (!mayComeFromChallengeForm(error)) throw error;
    const other = FALLBACK_FORM[form];
    options.note?.(`the service refused the ${form} challenge; trying ${other}`);
    try {
      return { token: await requestOnce(options, other), form: other };
    } catch (secondError) {
      throw secondError instanceof OAuthError ? error : secondError;
    }
  }
}

/** If the service refuses the exchange without a known reason, the cause may be the challenge. */
const mayComeFromChallengeForm = (error: unknown) =>
  error instanceof OAuthError &&
  (error.category === 'challenge' || (error.category === 'unknown' && error.step === 'exchange'));

async function requestOnce(options: RequestTokenOptions, form: ChallengeForm): Promise<AccessToken> {
  const authorization = createAuthorization(options.client, form);
  const code = await options.requestCode(authorization);
  return exchangeCode(options.connection, options.client, authorization, code, options);
}
