// Downloads the Node binaries that node.json names, as npm packages, and checks them against the integrity hashes there.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const { version: NODE_VERSION, platforms: PLATFORMS } = JSON.parse(
  readFileSync(new URL('node.json', import.meta.url), 'utf8'),
);

/** The packages stay here, so that only the first run downloads them. */
const CACHE = 'node_modules/.cache/node-binaries';

/** Unpacks the package of a platform into the folder and returns the path of its content. Throws for other bytes. */
export function unpackNode(platform, folder) {
  const { package: name, integrity } = PLATFORMS[platform];
  const file = join(CACHE, `${name}-${NODE_VERSION}.tgz`);
  if (!existsSync(file)) {
    mkdirSync(CACHE, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', CACHE, `${name}@${NODE_VERSION}`]);
  }
  assertIntegrity(file, integrity);
  const target = join(folder, platform);
  mkdirSync(target);
  execFileSync('tar', ['-xzf', file, '-C', target, '--strip-components', '1']);
  return target;
}

/** Throws when the file does not have the hash, which is written as in package-lock.json. */
export function assertIntegrity(file, integrity) {
  const actual = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (actual !== integrity) throw new Error(`${file} has the hash ${actual}, not ${integrity}; delete it`);
}
