/** `npm ci` works on every platform: the lock file names the optional packages of all of them, not only of the last writer's. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const LOCK = new URL('../../package-lock.json', import.meta.url);
const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(await readFile(LOCK, 'utf8')).packages;

it('names every optional package, which npm leaves out when it cannot reach one', () => {
  const missing = Object.entries(packages).flatMap(([holder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`${holder}/node_modules/${name}`] === undefined &&
        packages[`node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});

it('names no address to download from', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
