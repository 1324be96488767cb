// The packages whose code is in a bundle, and their licences.
import { existsSync, readFileSync } from 'node:fs';

/** The packages of a metafile of esbuild: folder, name, version and name of the licence. */
export function listPackages({ inputs }) {
  const folders = Object.keys(inputs).flatMap(
    (file) => file.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [],
  );
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    return { folder, name, version, license };
  });
}

/** The licence texts of the bundled packages, as their licences require. */
export function collectLicenses(metafile) {
  return listPackages(metafile)
    .map(({ folder, name, version, license }) => {
      const text = ['LICENSE', 'license', 'LICENSE.md', 'LICENSE.txt', 'LICENCE']
        .map((file) => `${folder}/${file}`)
        .find(existsSync);
      return `${name} ${version} (${license})\n\n${text ? readFileSync(text, 'utf8').trim() : ''}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
