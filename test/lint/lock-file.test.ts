/** The lock file lists the optional packages of all platforms for `npm ci`. npm may omit packages that it cannot reach. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const LOCK = new URL('../../package-lock.json', import.meta.url);
const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(await readFile(LOCK, 'utf8')).packages;

it('package-lock.json contains all optional packages', () => {
  const missing = Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`${parent}/node_modules/${name}`] === undefined &&
        packages[`node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});

it('package-lock.json contains no download URLs', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
