/**
 * Proof Key for Code Exchange (RFC 7636) in the service's dialect: its worked example keeps the padding of base64url that
 * the RFC drops, and its document calls the challenge alphanumeric (FIELD-NOTES.md "PKCE").
 */
import { createHash } from 'node:crypto';
import { randomAlphanumeric } from './alphanumeric.js';

interface Derivation {
  /** `codeChallengeMethod` on the wire. */
  readonly method: 'S256' | 'PLAIN';
  readonly challenge: (verifier: string) => string;
}

const sha256 = (verifier: string) => createHash('sha256').update(verifier, 'ascii');

const DERIVATIONS = {
  'S256-padded': { method: 'S256', challenge: (verifier) => `${sha256(verifier).digest('base64url')}=` },
  S256: { method: 'S256', challenge: (verifier) => sha256(verifier).digest('base64url') },
  PLAIN: { method: 'PLAIN', challenge: (verifier) => verifier },
} as const satisfies Record<string, Derivation>;

/** How a challenge is written: S256 with padding (the service's), S256 as in the RFC, or the verifier itself. */
export type ChallengeForm = keyof typeof DERIVATIONS;
export const CHALLENGE_FORMS = Object.keys(DERIVATIONS) as readonly ChallengeForm[];
export const DEFAULT_CHALLENGE_FORM: ChallengeForm = 'S256-padded';

/**
 * What to try when a deployment refuses a form. Never PLAIN: a client must not fall back to it after S256 (RFC 7636
 * section 7.2), so PLAIN is only used where the profile asks for it.
 */
export const OTHER_FORM: Readonly<Record<ChallengeForm, ChallengeForm>> = {
  'S256-padded': 'S256',
  S256: 'S256-padded',
  PLAIN: 'S256-padded',
};

/** RFC 7636 section 4.1 allows 43 to 128. */
const VERIFIER_LENGTH = 64;

/** `codeChallengeMethod` of a form, as it goes over the wire. */
export function challengeMethod(form: ChallengeForm): 'S256' | 'PLAIN' {
  return DERIVATIONS[form].method;
}

/** The challenge of a verifier (RFC 7636 section 4.2), padded or not as the form says. */
export function challengeOf(verifier: string, form: ChallengeForm): string {
  return DERIVATIONS[form].challenge(verifier);
}

export interface Proof {
  readonly verifier: string;
  readonly challenge: string;
  readonly form: ChallengeForm;
}

/**
 * A fresh verifier of letters and digits and its challenge. Drawn until the challenge too is alphanumeric (padding aside;
 * one draw in four is), which satisfies every reading of the document at once.
 */
export function drawProof(form: ChallengeForm): Proof {
  for (;;) {
    const verifier = randomAlphanumeric(VERIFIER_LENGTH);
    const challenge = challengeOf(verifier, form);
    if (!/[-_]/.test(challenge)) return { verifier, challenge, form };
  }
}
