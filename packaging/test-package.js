// `npm run test:package`: the end-to-end tests with the Linux executable of release/, and without Node in PATH.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';

/** Tests of other things than the executable. */
const EXCLUDED = ['test/e2e/package.test.ts', 'test/e2e/openapi.test.ts'];
const WITHOUT = /^(?:node|nodejs|npm|npx|corepack)$/;

const program = resolve('release/opac-linux-x64');
if (!existsSync(program)) throw new Error('there is no executable: run npm run package');
const bin = mkdtempSync(join(tmpdir(), 'opac-path-'));
// Some tests run the program as another user.
chmodSync(bin, 0o755);
try {
  linkPrograms();
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', ...process.argv.slice(2)];
  const { status } = spawnSync(
    process.execPath,
    [...vitest, ...EXCLUDED.flatMap((file) => ['--exclude', file])],
    {
      stdio: 'inherit',
      env: { ...process.env, PATH: bin, PROGRAM: program },
    },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(bin, { recursive: true });
}

/** Links all programs of PATH except those of Node into one folder. The first of a name is the one a shell would run. */
function linkPrograms() {
  const folders = process.env.PATH.split(delimiter).filter((folder) => existsSync(folder));
  const programs = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  for (const path of programs) {
    const link = join(bin, basename(path));
    if (!WITHOUT.test(basename(path)) && !existsSync(link)) symlinkSync(path, link);
  }
}
