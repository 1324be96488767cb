/** `opac` without arguments. */
import { expect, it } from 'vitest';
import { EXAMPLES } from '../examples.js';
import { opac } from '../run-in-process.js';

it('prints at most 24 lines of 80 columns, with examples that are tested', async () => {
  const { code, stdout } = await opac([], { columns: 80, environment: { NO_COLOR: '1' } });
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const examples = lines.map((line) => line.trim()).filter((line) => line.startsWith('opac objects '));
  expect(examples).toHaveLength(3);
  expect(EXAMPLES).toEqual(expect.arrayContaining(examples));
});
