/** The rule that folders import in one direction only (biome.json) bites: violations are planted and must be found. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Whom each folder may import (DESIGN "Layout and who may import whom"). */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  service: [],
  client: ['service'],
  auth: ['client', 'service'],
  export: ['client', 'service'],
  check: ['client', 'service'],
  mock: ['service'],
  cli: ['auth', 'check', 'client', 'export', 'mock', 'service'],
};
const FOLDERS = Object.keys(MAY_IMPORT);

/** Packages and modules that a folder must do without, because they would be I/O, or the client's own. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  service: [
    'undici',
    'node:fs',
    'node:fs/promises',
    'node:http',
    'node:https',
    'node:net',
    'node:child_process',
  ],
  mock: ['undici'],
};

interface Planted {
  readonly file: string;
  readonly refused: boolean;
}

/** One file for each folder and each that it may or may not import, from its top and from a folder inside it. */
function* planted(): Generator<Planted & { readonly text: string }> {
  for (const from of FOLDERS) {
    const targets = [
      ...FOLDERS.filter((to) => to !== from).map((to) => ({
        name: to,
        refused: !MAY_IMPORT[from]?.includes(to),
        path: (up: string) => `${up}${to}/planted.js`,
      })),
      ...(REFUSED[from] ?? []).map((name) => ({ name, refused: true, path: () => name })),
    ];
    for (const { name, refused, path } of targets) {
      for (const [inside, up] of [
        ['', '../'],
        ['inside/', '../../'],
        ['inside/deeper/', '../../../'],
      ] as const) {
        const file = `src/${from}/${inside}imports-${name.replace(/\W/g, '-')}.ts`;
        yield { file, refused, text: `import '${path(up)}';\n` };
      }
    }
  }
}

it('each folder of src/ imports those below it and no other, however deep the importing file lies', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opac-directions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(ROOT, 'biome.json'), join(folder, 'biome.json'));
  await writeFile(join(folder, '.gitignore'), 'node_modules\n');
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const all = [...planted()];
  for (const { file, text } of all) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }

  const found = await violations(folder);
  expect([...found].sort()).toEqual(
    all
      .filter(({ refused }) => refused)
      .map(({ file }) => file)
      .sort(),
  );
});

it('knows every folder of src/', async () => {
  const entries = await readdir(join(ROOT, 'src'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(FOLDERS).toEqual(expect.arrayContaining(folders));
});

/** The files in which biome finds the rule broken. */
async function violations(folder: string): Promise<Set<string>> {
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [biome, 'lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none', 'src'],
    { cwd: folder, maxBuffer: 64 << 20 },
  ).catch((failed: { readonly stdout: string }) => failed);
  const { diagnostics } = JSON.parse(stdout) as {
    readonly diagnostics: readonly { readonly location: { readonly path: unknown } }[];
  };
  return new Set(
    diagnostics.map(({ location: { path } }) =>
      typeof path === 'string' ? path : (path as { readonly file: string }).file,
    ),
  );
}
