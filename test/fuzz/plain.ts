/** Checks that users can understand how a command ended. */
import { expect } from 'vitest';

/** Throws if the exit code is not in `codes`, or if standard error contains a stack or other JavaScript terms. */
export function expectPlain(
  ran: { readonly code: number; readonly stderr: string },
  codes: readonly number[],
): void {
  expect(ran.stderr).not.toMatch(
    /internal error|undefined|\[object |NaN|\n {4}at |Cannot read|is not (a function|iterable)/,
  );
  expect(codes, ran.stderr).toContain(ran.code);
}
