/** Global options of the built program: their place in a command line, and the messages about mistakes. */
import { describe, expect, it } from 'vitest';
import { createFolder, opac, splitCommandLine } from './opac.js';
import { runAgainstMuseum } from './run-against-museum.js';

describe('global options', () => {
  it('work before the noun, between noun and verb, and after them', async () => {
    const lines = [
      '--mock -f ids objects list --limit 2',
      'objects --mock -f ids list --limit 2',
      'objects list --limit 2 --mock -f ids',
      '-f csv objects list --mock --limit 2 -f ids',
    ];
    for (const { code, stdout } of await Promise.all(lines.map((line) => opac(splitCommandLine(line))))) {
      expect({ code, stdout }).toEqual({ code: 0, stdout: '20011\n20022\n' });
    }
  });

  it('include --base-url, which opac suggests if no deployment is given', async () => {
    const { code, stdout, stderr } = await opac(splitCommandLine('objects list'), {
      environment: { OPAC_CONFIG_DIR: await createFolder() },
    });
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain('no deployment given');
    expect(stderr).toContain('--base-url');
  });
});

it.each([
  ['objects list --formt csv', 'unknown option "--formt"; did you mean --format?'],
  ['objects list --where makr_name=x', 'unknown field "makr_name" of objects; did you mean "maker_name"?'],
  ['login --client-secret hunter2', 'do not pass the client secret as an argument'],
])('exits with 2 and explains the mistake: %s', async (line, message) => {
  const { code, stdout, stderr } = await runAgainstMuseum(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});
