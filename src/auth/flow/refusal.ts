/** The service's "no" to an authorization or an exchange: its own words, and the likeliest cause. */
import { serviceMessage } from '../../client/errors/answer-errors.js';
import type { Answer } from '../../client/exchange.js';
import { redact } from '../../client/redact.js';
import { OpacError } from '../../service/errors.js';

export type Step = 'authorization' | 'exchange';

/** What a refusal is about, as far as the service's words tell. */
export type Cause = 'challenge' | 'redirect' | 'secret' | 'client' | 'code' | 'unknown';

/** Words that give a cause away; the first row that fits counts. `codeChallenge` and `codeVerifier` are not about the code. */
const CAUSES: readonly (readonly [words: RegExp, cause: Cause])[] = [
  [/challenge|verifier|pkce/i, 'challenge'],
  [/redirect/i, 'redirect'],
  [/secret|credential/i, 'secret'],
  [/client/i, 'client'],
  [/\bcode\b|expired|grant/i, 'code'],
];

const HINTS: Readonly<Record<Exclude<Cause, 'unknown'>, string>> = {
  challenge: 'the deployment may take another form of challenge: choose one of S256-padded, S256 and PLAIN',
  redirect: 'the redirect URI must be given exactly as it was registered with the API key, to the last slash',
  secret: 'check the client secret: it belongs to this client id and is shown when the API key is made',
  client: 'check the client id and the client secret: they are made together with the API key',
  code: 'a code serves once and only for a moment: log in again',
};

/** What the document leaves as causes when the service does not say: the redirect URI before the code, the secret after. */
const UNSAID: Readonly<Record<Step, string>> = {
  authorization: 'the likeliest cause is a redirect URI other than the registered one, or a wrong client id',
  exchange: 'the likeliest cause is a wrong client secret',
};

const LONGEST_REASON = 300;

/** A refusal, of kind `auth`. */
export class Refusal extends OpacError {
  readonly step: Step;
  readonly about: Cause;

  constructor(step: Step, words: string | undefined) {
    const reason = words
      ?.replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, LONGEST_REASON);
    const about = CAUSES.find(([words]) => words.test(reason ?? ''))?.[1] ?? 'unknown';
    super('auth', `the service refused the ${step}${reason ? `: "${reason}"` : ''}`, {
      hint: about === 'unknown' ? UNSAID[step] : HINTS[about],
    });
    this.name = 'Refusal';
    this.step = step;
    this.about = about;
  }
}

/**
 * Reads a 400 of either endpoint. What was sent in secret is blotted out of the service's words, in case it repeats it.
 */
export function readRefusal(step: Step, answer: Answer, secrets: readonly string[]): Refusal {
  const words = serviceMessage(answer);
  return new Refusal(step, words && redact(words, secrets));
}
