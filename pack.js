// `npm pack` writes a package.json without the fields of developers; `node pack.js --restore` undoes the change afterwards.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const ORIGINAL = '.package.json';

if (process.argv.includes('--restore')) renameSync(ORIGINAL, 'package.json');
else if (!existsSync(ORIGINAL)) {
  const text = readFileSync('package.json', 'utf8');
  const {
    scripts: _scripts,
    devDependencies: _packages,
    allowScripts: _allowed,
    ...published
  } = JSON.parse(text);
  writeFileSync(ORIGINAL, text);
  writeFileSync('package.json', `${JSON.stringify(published, null, 2)}\n`);
}
