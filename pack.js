// `npm pack` runs this script first, which removes fields that only developers need from package.json. Afterwards, it runs
// `node pack.js --restore`, which restores the original file.
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
