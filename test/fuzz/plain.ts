/** What every end of a command has in common that a person reads. */
import { expect } from 'vitest';

/** No exit code 1, no stack, nothing that a JavaScript programmer would have to explain. */
export function expectPlain(
  ran: { readonly code: number; readonly stderr: string },
  codes: readonly number[],
): void {
  expect(ran.stderr).not.toMatch(
    /internal error|undefined|\[object |NaN|\n {4}at |Cannot read|is not (a function|iterable)/,
  );
  expect(codes, ran.stderr).toContain(ran.code);
}
