/** Tests the rules for imports in .dependency-cruiser.js: they must report forbidden imports in generated files. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
// @ts-expect-error the configuration has no types
import { LEVELS, MAY_IMPORT, WITHOUT } from '../../.dependency-cruiser.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const directions: Readonly<Record<string, readonly string[]>> = MAY_IMPORT;
const without: Readonly<Record<string, readonly string[]>> = WITHOUT;
const folderLevels: Readonly<Record<string, readonly (readonly string[])[]>> = LEVELS;

/** The imports of each file. */
type Tree = Map<string, string[]>;

function plant(tree: Tree, file: string, ...imports: readonly string[]): void {
  tree.set(file, [...(tree.get(file) ?? []), ...imports]);
}

/** Writes the tree to a folder, and returns the imports that violate a rule. */
async function findViolations(tree: Tree): Promise<readonly Violation[]> {
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
  return JSON.parse(stdout).summary.violations;
}

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

/** Adds imports from three depths of each folder to each other folder. Returns the forbidden imports. */
function plantDirections(tree: Tree): string[] {
  const forbidden: string[] = [];
  for (const [from, allowed] of Object.entries(directions)) {
    for (const to of Object.keys(directions).filter((other) => other !== from)) {
      for (const inside of ['', 'inside/', 'inside/deeper/']) {
        const file = `src/${from}/${inside}planted.ts`;
        plant(tree, file, `src/${to}/target.ts`);
        if (!allowed.includes(to)) forbidden.push(`${file} > src/${to}/target.ts`);
      }
    }
    plant(tree, `src/${from}/target.ts`);
  }
  return forbidden.sort();
}

/** Adds imports between all levels of a folder. Returns the forbidden imports. */
function plantLevels(tree: Tree, folder: string, levels: readonly (readonly string[])[]): string[] {
  const forbidden: string[] = [];
  const members = levels.flatMap((names, level) =>
    names.map((name) => ({
      level,
      file: `src/${folder}/${name}${name.endsWith('/') ? 'planted' : ''}.ts`,
    })),
  );
  for (const from of members) {
    for (const to of members) {
      if (from.level === to.level) continue;
      plant(tree, from.file, to.file);
      if (from.level > to.level) forbidden.push(`${from.file} > ${to.file}`);
    }
  }
  return forbidden.sort();
}

// One tree for all rules, because dependency-cruiser needs a second to start, and more on a busy machine.
it('the rules report exactly the forbidden imports', { timeout: 60_000 }, async () => {
  const tree: Tree = new Map();
  const forbiddenDirections = plantDirections(tree);
  const forbiddenLevels = Object.entries(folderLevels).map(([folder, levels]) =>
    plantLevels(tree, folder, levels),
  );
  for (const [folder, names] of Object.entries(without))
    plant(tree, `src/${folder}/inside/planted.ts`, ...names, 'node:path');
  plant(tree, 'src/client/layers/one.ts', 'src/client/layers/two.ts');
  plant(tree, 'src/client/layers/two.ts', 'src/client/layers/one.ts');

  const all = await findViolations(tree);
  const found = (rule: RegExp) => [
    ...new Set(all.filter((each) => rule.test(each.rule.name)).map(({ from, to }) => `${from} > ${to}`)),
  ];
  expect(found(/imports only/).sort()).toEqual(forbiddenDirections);
  expect(found(/from above/).sort()).toEqual(forbiddenLevels.flat().sort());
  expect(forbiddenLevels.every((forbidden) => forbidden.length > 0)).toBe(true);
  for (const [folder, names] of Object.entries(without))
    expect(found(new RegExp(`^${folder} does without`))).toHaveLength(names.length);
  expect(found(/circles/)).toContain('src/client/layers/one.ts > src/client/layers/two.ts');
});

it('every folder of src/ has a list of folders that it may import', async () => {
  const entries = await readdir(join(ROOT, 'src'), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  expect(Object.keys(directions)).toEqual(expect.arrayContaining(folders));
});

it('every file of src/ has a level, and every name in a level exists', async () => {
  const entries = await readdir(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => relative(join(ROOT, 'src'), join(parentPath, name)).replaceAll(sep, '/'))
    .map((path) => path.replace(/(\.d)?\.ts$/, ''));
  const places = Object.entries(folderLevels).flatMap(([folder, levels]) =>
    levels.flat().map((name) => `${folder}/${name}`),
  );
  const isAt = (file: string, place: string) =>
    place.endsWith('/') ? file.startsWith(place) : file === place;
  const inFolders = files.filter((file) => file.includes('/'));
  expect(inFolders.filter((file) => !places.some((place) => isAt(file, place)))).toEqual([]);
  expect(places.filter((place) => !files.some((file) => isAt(file, place)))).toEqual([]);
});
