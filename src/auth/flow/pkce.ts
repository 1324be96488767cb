/** Proof Key for Code Exchange (RFC 7636), with the base64url padding of the service's example (FIELD-NOTES.md "PKCE"). */
import { createHash, randomBytes } from 'node:crypto';

export const CHALLENGE_FORMS = ['S256-padded', 'S256', 'PLAIN'] as const;
export type ChallengeForm = (typeof CHALLENGE_FORMS)[number];
export const DEFAULT_CHALLENGE_FORM: ChallengeForm = 'S256-padded';

/** For each form of challenge, the form to try after a refusal. RFC 7636 section 7.2 forbids a fallback from S256 to PLAIN. */
export const FALLBACK_FORM: Readonly<Record<ChallengeForm, ChallengeForm>> = {
  'S256-padded': 'S256',
  S256: 'S256-padded',
  PLAIN: 'S256-padded',
};

/** Returns alphanumeric text, two characters per byte. */
export const createRandomText = (bytes: number): string => randomBytes(bytes).toString('hex');

/** These bytes become 64 characters. RFC 7636 section 4.1 requires 43 to 128 characters. */
const VERIFIER_BYTES = 32;

export function getChallengeMethod(form: ChallengeForm): 'S256' | 'PLAIN' {
  return form === 'PLAIN' ? 'PLAIN' : 'S256';
}

/** Creates the challenge of RFC 7636 section 4.2. `S256-padded` adds the padding `=`. */
export function createCodeChallenge(verifier: string, form: ChallengeForm): string {
  if (form === 'PLAIN') return verifier;
  const digest = createHash('sha256').update(verifier, 'ascii').digest('base64url');
  return form === 'S256' ? digest : `${digest}=`;
}

/** INTERFACE.md calls the challenge alphanumeric, so this function discards challenges with `-` or `_`. */
export function generatePkcePair(form: ChallengeForm): {
  readonly verifier: string;
  readonly challenge: string;
} {
  for (;;) {
    const verifier = createRandomText(VERIFIER_BYTES);
    const challenge = createCodeChallenge(verifier, form);
    if (!/[-_]/.test(challenge)) return { verifier, challenge };
  }
}
