import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAuthorization, readRedirect } from '../../../src/auth/flow/authorization.js';
import {
  CHALLENGE_FORMS,
  createCodeChallenge,
  FALLBACK_FORM,
  generatePkcePair,
  getChallengeMethod,
} from '../../../src/auth/flow/pkce.js';

describe('challenges', () => {
  it.each([
    [
      'RFC 7636 Appendix B',
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      'S256',
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    ],
    [
      "the service's worked example",
      'f9752bd2-4346-439c-b14b-0c870b48ca82',
      'S256-padded',
      'xnD-u3lQbKrV5sWVLtiVXZuv3Z32uwmrVd411_IsXT8=',
    ],
    ['PLAIN', 'abc', 'PLAIN', 'abc'],
  ] as const)('holds the vector of %s', (_, verifier, form, challenge) => {
    expect(createCodeChallenge(verifier, form)).toBe(challenge);
  });

  it('names the method of each form as the document does', () => {
    expect(CHALLENGE_FORMS.map((form) => [form, getChallengeMethod(form)])).toEqual([
      ['S256-padded', 'S256'],
      ['S256', 'S256'],
      ['PLAIN', 'PLAIN'],
    ]);
  });

  it('never falls back to PLAIN', () => {
    expect(Object.values(FALLBACK_FORM)).not.toContain('PLAIN');
    for (const form of CHALLENGE_FORMS) expect(FALLBACK_FORM[form]).not.toBe(form);
  });
});

describe('drawn proofs', () => {
  it.each(CHALLENGE_FORMS)('are alphanumeric, of the length of the RFC and never repeat (%s)', (form) => {
    const proofs = Array.from({ length: 300 }, () => generatePkcePair(form));
    for (const { verifier, challenge } of proofs) {
      expect(verifier).toMatch(/^[A-Za-z0-9]{43,128}$/);
      expect(challenge).toMatch(form === 'S256-padded' ? /^[A-Za-z0-9]{43}=$/ : /^[A-Za-z0-9]{43,128}$/);
      expect(createCodeChallenge(verifier, form)).toBe(challenge);
    }
    expect(new Set(proofs.map(({ verifier }) => verifier)).size).toBe(proofs.length);
  });
});

describe('the state of a redirect', () => {
  it('matches only the state that was sent, whatever the lengths', () => {
    const authorization = createAuthorization({ clientId: 'id', redirectURI: 'http://127.0.0.1/' }, 'S256');
    const outcome = (state: string) =>
      readRedirect(new URLSearchParams({ state, code: 'c' }), authorization).outcome;
    expect(outcome(authorization.state)).toBe('code');
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (other) => {
        expect(outcome(other)).toBe('state-mismatch');
        expect(outcome(authorization.state + other)).toBe('state-mismatch');
        expect(outcome(authorization.state.slice(0, -1))).toBe('state-mismatch');
      }),
    );
  });
});
