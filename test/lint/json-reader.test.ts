/** Only `parseJson` parses JSON in src/: `JSON.parse` would change the digits of long integers. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RULE = 'test/lint/no-json-parse.grit';
const USE = 'export const read = (text: string) => JSON.parse(text);\n';

it('the linter refuses JSON.parse in src/, except in parse-json.ts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opac-lint-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const file of ['biome.json', RULE]) await cp(join(ROOT, file), join(folder, file));
  for (const file of ['src/planted.ts', 'src/cli/commands/planted.ts', 'src/service/parse-json.ts']) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), USE);
  }
  const words = ['lint', '--vcs-enabled=false', '--reporter=json', 'src'];
  const output = await new Promise<string>((resolve) => {
    execFile(join(ROOT, 'node_modules/.bin/biome'), words, { cwd: folder }, (_, stdout) => resolve(stdout));
  });
  const places = [...output.matchAll(/"path":\s*"([^"]+)"/g)].map(([, path]) => path);
  expect(output).toContain('changes integers above 2^53');
  expect(places.sort()).toEqual(['src/cli/commands/planted.ts', 'src/planted.ts']);
});
