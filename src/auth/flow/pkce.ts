/** Proof Key for Code Exchange (RFC 7636), with the base64url padding of the service's example (FIELD-NOTES.md "PKCE"). */
import { createHash, randomBytes } from 'node:crypto';

interface Derivation {
  readonly method: 'S256' | 'PLAIN';
  readonly challenge: (verifier: string) => string;
}

const sha256 = (verifier: string) => createHash('sha256').update(verifier, 'ascii');

const DERIVATIONS = {
  'S256-padded': { method: 'S256', challenge: (verifier) => `${sha256(verifier).digest('base64url')}=` },
  S256: { method: 'S256', challenge: (verifier) => sha256(verifier).digest('base64url') },
  PLAIN: { method: 'PLAIN', challenge: (verifier) => verifier },
} as const satisfies Record<string, Derivation>;

export type ChallengeForm = keyof typeof DERIVATIONS;
export const CHALLENGE_FORMS = Object.keys(DERIVATIONS) as readonly ChallengeForm[];
export const DEFAULT_CHALLENGE_FORM: ChallengeForm = 'S256-padded';

/** What to try when a form is refused. Never PLAIN: RFC 7636 section 7.2 forbids falling back to it from S256. */
export const FALLBACK_FORM: Readonly<Record<ChallengeForm, ChallengeForm>> = {
  'S256-padded': 'S256',
  S256: 'S256-padded',
  PLAIN: 'S256-padded',
};

/** Alphanumeric text, two characters a byte. */
export const randomText = (bytes: number): string => randomBytes(bytes).toString('hex');

/** RFC 7636 section 4.1 asks for 43 to 128 characters. */
const VERIFIER_BYTES = 32;

export function challengeMethod(form: ChallengeForm): 'S256' | 'PLAIN' {
  return DERIVATIONS[form].method;
}

/** RFC 7636 section 4.2. */
export function codeChallenge(verifier: string, form: ChallengeForm): string {
  return DERIVATIONS[form].challenge(verifier);
}

interface PkcePair {
  readonly verifier: string;
  readonly challenge: string;
  readonly form: ChallengeForm;
}

/** The document calls both alphanumeric, so it repeats until the challenge is, apart from the padding (one in four is). */
export function generatePkcePair(form: ChallengeForm): PkcePair {
  for (;;) {
    const verifier = randomText(VERIFIER_BYTES);
    const challenge = codeChallenge(verifier, form);
    if (!/[-_]/.test(challenge)) return { verifier, challenge, form };
  }
}
