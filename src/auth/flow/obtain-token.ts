/** A whole authorization: code, exchange, and one more try in the other form of challenge. */
import { beginAuthorization, type Client, type ObtainCode, type Service } from './authorization.js';
import { type ChallengeForm, OTHER_FORM } from './pkce.js';
import { Refusal } from './refusal.js';
import { type AccessToken, exchangeCode } from './token-exchange.js';

export interface ObtainTokenOptions {
  readonly service: Service;
  readonly client: Client;
  /** The form of challenge to try first. */
  readonly form: ChallengeForm;
  readonly obtainCode: ObtainCode;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Told what the person should know: that the other form is tried. */
  readonly notice?: (message: string) => void;
}

/**
 * Gets an access token, and the form of challenge by which it came: a deployment that refuses the verifier of one form is
 * asked once more, in a fresh authorization, with the other. Throws the refusal of the first form when both are refused.
 */
export async function obtainToken(
  options: ObtainTokenOptions,
): Promise<{ readonly token: AccessToken; readonly form: ChallengeForm }> {
  const { form } = options;
  try {
    return { token: await obtainOnce(options, form), form };
  } catch (error) {
    if (!mayBeTheForm(error)) throw error;
    const other = OTHER_FORM[form];
    options.notice?.(`the service refused a challenge of form ${form}; trying ${other}`);
    try {
      return { token: await obtainOnce(options, other), form: other };
    } catch (again) {
      throw again instanceof Refusal ? error : again;
    }
  }
}

/** An exchange refused without a word about the cause may be about the verifier as well. */
const mayBeTheForm = (error: unknown) =>
  error instanceof Refusal &&
  (error.about === 'challenge' || (error.about === 'unknown' && error.step === 'exchange'));

async function obtainOnce(options: ObtainTokenOptions, form: ChallengeForm): Promise<AccessToken> {
  const authorization = beginAuthorization(options.client, form);
  const code = await options.obtainCode(authorization);
  return exchangeCode(options.service, options.client, authorization, code, options);
}
