import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

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
    // Files share their modules, whose loading would otherwise cost as much as the tests: what one sets it takes back.
    isolate: false,
    setupFiles: ['./test/searched.ts'],
    reporters: ['default', './test/printed-total.ts'],
    // One worker would leave a machine of two cores idle while a test waits for the program it spawned.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Tests say what is right, not how fast: a busy machine may take its time.
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
        // The built program, spawned: each test starts processes, so they get more time.
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        extends: true,
        // What takes too long for each change: run by `npm run test:slow`, outside CI.
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
