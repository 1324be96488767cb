/** The rules on who may import whom (.dependency-cruiser.js) bite: violations are planted and must be found. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
// @ts-expect-error the configuration has no types
import { FLOORS, MAY_IMPORT, WITHOUT } from '../../.dependency-cruiser.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const directions: Readonly<Record<string, readonly string[]>> = MAY_IMPORT;
const without: Readonly<Record<string, readonly string[]>> = WITHOUT;
const floorsOf: Readonly<Record<string, readonly (readonly string[])[]>> = FLOORS;

/** File by what it imports. */
type Tree = Map<string, string[]>;

function plant(tree: Tree, file: string, ...imports: readonly string[]): void {
  tree.set(file, [...(tree.get(file) ?? []), ...imports]);
}

/** From and to of each import that breaks a rule whose name fits. */
async function violations(tree: Tree, rule: RegExp): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'opac-directions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const file of ['.dependency-cruiser.js', 'package.json', 'tsconfig.json'])
    await copyFile(join(ROOT, file), join(folder, file));
  for (const [file, imports] of tree) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    const lines = imports.map((to) => {
      if (!to.startsWith('src/')) return `import '${to}';\n`;
      const path = posix.relative(dirname(file), to.replace(/\.ts$/, '.js'));
      return `export type * from '${path.startsWith('.') ? path : `./${path}`}';\n`;
    });
    await writeFile(join(folder, file), `${lines.join('')}export {};\n`);
  }
  const program = join(ROOT, 'node_modules/.bin/depcruise');
  const { stdout } = await promisify(execFile)(
    program,
    ['src', '--config', '.dependency-cruiser.js', '-T', 'json'],
    { cwd: folder, maxBuffer: 1e8 },
  ).catch((error: { stdout: string }) => error);
  const found: readonly { from: string; to: string; rule: { name: string } }[] =
    JSON.parse(stdout).summary.violations;
  return [
    ...new Set(found.filter((each) => rule.test(each.rule.name)).map(({ from, to }) => `${from} > ${to}`)),
  ].sort();
}

// Each test runs dependency-cruiser: seconds on a busy machine.
describe('an import', { timeout: 60_000 }, () => {
  it('leads only to the folders below, however deep the importing file lies', async () => {
    const tree: Tree = new Map();
    const refused: string[] = [];
    for (const [from, allowed] of Object.entries(directions)) {
      for (const to of Object.keys(directions).filter((other) => other !== from)) {
        for (const inside of ['', 'inside/', 'inside/deeper/']) {
          const file = `src/${from}/${inside}planted.ts`;
          plant(tree, file, `src/${to}/target.ts`);
          if (!allowed.includes(to)) refused.push(`${file} > src/${to}/target.ts`);
        }
      }
      plant(tree, `src/${from}/target.ts`);
    }
    expect(await violations(tree, /imports only/)).toEqual(refused.sort());
  });

  it.each(Object.entries(without))('of what %s does without is refused', async (folder, names) => {
    const tree: Tree = new Map([[`src/${folder}/inside/planted.ts`, [...names, 'node:path']]]);
    const found = await violations(tree, /does without/);
    expect(found).toHaveLength(names.length);
  });

  it.each(Object.entries(floorsOf))('inside %s leads never to a floor above', async (folder, floors) => {
    const tree: Tree = new Map();
    const refused: string[] = [];
    const members = floors.flatMap((names, floor) =>
      names.map((name) => ({
        floor,
        file: `src/${folder}/${name}${name.endsWith('/') ? 'planted' : ''}.ts`,
      })),
    );
    for (const from of members) {
      for (const to of members) {
        if (from.floor === to.floor) continue;
        plant(tree, from.file, to.file);
        if (from.floor > to.floor) refused.push(`${from.file} > ${to.file}`);
      }
    }
    expect(refused.length).toBeGreaterThan(0);
    expect(await violations(tree, /from above/)).toEqual(refused.sort());
  });

  it('closes no circle, not even of types', async () => {
    const tree: Tree = new Map();
    plant(tree, 'src/client/layers/one.ts', 'src/client/layers/two.ts');
    plant(tree, 'src/client/layers/two.ts', 'src/client/layers/one.ts');
    expect(await violations(tree, /circles/)).not.toEqual([]);
  });

  it('of a file that is on no floor is refused', async () => {
    const tree: Tree = new Map([['src/client/astray.ts', ['node:path']]]);
    expect(await violations(tree, /on a floor/)).toHaveLength(1);
  });
});

it('every folder of src/ has its directions', async () => {
  const entries = await readdir(join(ROOT, 'src'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(Object.keys(directions)).toEqual(expect.arrayContaining(folders));
});
