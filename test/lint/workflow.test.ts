/** The workflow runs the command of the README, and the tests that docs/security.md mentions exist. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPageText } from '../docs/documents.js';

const readText = (name: string) => readFile(join(import.meta.dirname, '../..', name), 'utf8');

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly run?: string;
  readonly shell?: string;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: { readonly verify: Job };
}

interface Job {
  readonly 'runs-on': string;
  readonly strategy: { readonly matrix: Readonly<Record<string, readonly unknown[]>> };
  readonly steps: readonly Step[];
}

const expression = (name: string) => `\${{ ${name} }}`;

describe('the workflow', async () => {
  const workflow = parse(await readText('.github/workflows/ci.yml'), { strict: true }) as Workflow;
  const { 'runs-on': runsOn, strategy, steps } = workflow.jobs.verify;

  it('runs the second command of the README as its last step', async () => {
    const commands = [...(await readText('README.md')).matchAll(/^```sh\n(npm ci .*)\n```$/gm)].map(
      ([, line]) => line,
    );
    expect(commands[1]).toBe('npm ci && npm run verify');
    // All three systems use bash, because PowerShell 5 has no `&&`.
    expect(steps.map(({ uses, run }) => run ?? uses)).toEqual([
      expect.stringMatching(/^actions\/checkout@v\d+$/),
      expect.stringMatching(/^actions\/setup-node@v\d+$/),
      commands[1],
    ]);
    expect(steps.at(-1)?.shell).toBe('bash');
  });

  it('runs for each change on three systems, and can only read the repository', () => {
    expect(strategy.matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest']);
    expect(runsOn).toBe(expression('matrix.os'));
    expect(workflow.on).toEqual({ push: { branches: ['main'] }, pull_request: null });
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it('tests the same versions of Node as npm run nodes, starting with the oldest supported one', async () => {
    const { engines } = JSON.parse(await readText('package.json')) as { engines: { node: string } };
    const { node = [] } = strategy.matrix;
    expect(steps[1]?.with).toMatchObject({ 'node-version': expression('matrix.node') });
    // A YAML number would lose a zero at its end.
    expect(node.every((version) => typeof version === 'string')).toBe(true);
    expect(`>=${node[0]}`).toBe(engines.node);
    expect(await readText('test/nodes/run.js')).toContain(`default: '${node.join()}'`);
    expect(node.slice(1)).toEqual(['22', '24', '26']);
  });
});

it('docs/security.md mentions a test for each promise, and these tests exist', async () => {
  const items = readPageText('security').split(/\n(?=- |\n)/);
  const promises = items.filter((item) => item.startsWith('- **'));
  expect(promises.length).toBeGreaterThan(9);
  for (const promise of promises) {
    const tests = [...promise.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
    expect(tests, promise).not.toEqual([]);
    for (const path of tests) await access(join(import.meta.dirname, '../..', path));
  }
});
