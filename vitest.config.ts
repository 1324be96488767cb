import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

/** Small files that need long. vitest starts with the largest files, so these would run alone at the end. */
const SLOW = ['test/cli/examples.test.ts', 'test/cli/faults.test.ts', 'test/power-cut.test.ts'];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW.some((name) => moduleId.endsWith(name));
    const rank = (file: TestSpecification) => (file.project.name !== 'unit' ? 0 : isSlow(file) ? 1 : 2);
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  // The pages of docs/ are imported as text, as esbuild does.
  plugins: [
    {
      name: 'markdown',
      transform: (text, id) => (id.endsWith('.md') ? `export default ${JSON.stringify(text)}` : undefined),
    },
  ],
  define: { OPAC_VERSION: JSON.stringify(version) },
  test: {
    // Files share their modules, because loading them again would take as long as the tests. A test undoes what it sets.
    isolate: false,
    setupFiles: ['./test/search-for-secrets.ts'],
    reporters: ['default', './test/secret-search-report.ts'],
    // More workers than cores, because many tests wait: for a program that they spawned, or for a lock to expire.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    // More room for young objects: the garbage collector then needs about half as much time.
    execArgv: ['--max-semi-space-size=32'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Tests check results, not speed: a busy machine may need more time.
          testTimeout: 30_000,
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/slow/**'],
          alias: {
            '@napi-rs/keyring': fileURLToPath(new URL('test/auth/store/no-keyring.ts', import.meta.url)),
          },
        },
      },
      {
        extends: true,
        // Tests of the built program. Each test starts processes, so it gets more time.
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        // Tests that take too long for each change. `npm run test:slow` runs them, CI does not.
        test: {
          name: 'slow',
          include: ['test/slow/**/*.test.ts', 'test/fuzz/**/*.test.ts'],
          env: { OPAC_FUZZ_TIMES: process.env.OPAC_FUZZ_TIMES ?? '100' },
          testTimeout: 1_800_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
