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

describe('the PKCE challenge', () => {
  it.each([
    [
      'RFC 7636 Appendix B',
      'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      'S256',
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    ],
    [
      'the example of the service',
      'f9752bd2-4346-439c-b14b-0c870b48ca82',
      'S256-padded',
      'xnD-u3lQbKrV5sWVLtiVXZuv3Z32uwmrVd411_IsXT8=',
    ],
    ['PLAIN', 'abc', 'PLAIN', 'abc'],
  ] as const)('equals the test vector of %s', (_, verifier, form, challenge) => {
    expect(createCodeChallenge(verifier, form)).toBe(challenge);
  });

  it('has the method S256 or PLAIN, depending on its form', () => {
    expect(CHALLENGE_FORMS.map((form) => [form, getChallengeMethod(form)])).toEqual([
      ['S256-padded', 'S256'],
      ['S256', 'S256'],
      ['PLAIN', 'PLAIN'],
    ]);
  });

  it('has for each form another form to try after a refusal, never PLAIN', () => {
    expect(Object.values(FALLBACK_FORM)).not.toContain('PLAIN');
    for (const form of CHALLENGE_FORMS) expect(FALLBACK_FORM[form]).not.toBe(form);
  });
});

describe('generatePkcePair', () => {
  it.each(CHALLENGE_FORMS)('returns unique alphanumeric texts of a valid length (%s)', (form) => {
    const proofs = Array.from({ length: 300 }, () => generatePkcePair(form));
    for (const { verifier, challenge } of proofs) {
      expect(verifier).toMatch(/^[A-Za-z0-9]{43,128}$/);
      expect(challenge).toMatch(form === 'S256-padded' ? /^[A-Za-z0-9]{43}=$/ : /^[A-Za-z0-9]{43,128}$/);
      expect(createCodeChallenge(verifier, form)).toBe(challenge);
    }
    expect(new Set(proofs.map(({ verifier }) => verifier)).size).toBe(proofs.length);
  });
});

describe('readRedirect', () => {
  it('accepts only the exact state of the request, also with other lengths', () => {
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
