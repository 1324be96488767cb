/** What the README promises about the proof: the workflow runs its command, and the tests that it names are there. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const text = (name: string) => readFile(join(import.meta.dirname, '../..', name), 'utf8');

it("calls the README's second command on three systems", async () => {
  const workflow = await text('.github/workflows/ci.yml');
  const commands = [...(await text('README.md')).matchAll(/^```sh\n(npm ci .*)\n```$/gm)].map(
    ([, line]) => line,
  );
  expect(commands[1]).toBe('npm ci && npm run verify');
  expect(workflow).toContain(`- run: ${commands[1]}\n`);
  expect(workflow).toContain('[ubuntu-latest, macos-latest, windows-latest]');
});

it('begins with the oldest supported Node', async () => {
  const { engines } = JSON.parse(await text('package.json')) as { engines: { node: string } };
  const [oldest] = /node: \[["']([\d.]+)["']/.exec(await text('.github/workflows/ci.yml'))?.slice(1) ?? [];
  expect(`>=${oldest}`).toBe(engines.node);
});

it('has a test for each promise of security', async () => {
  const section = /^## Security\n(.*?)^## /ms.exec(await text('README.md'))?.[1] ?? '';
  const promises = section.split('\n').filter((line) => line.startsWith('- '));
  expect(promises.length).toBeGreaterThan(9);
  for (const promise of promises) {
    const tests = [...promise.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(tests, promise).not.toEqual([]);
    for (const path of tests) await access(join(import.meta.dirname, '../..', path));
  }
});
