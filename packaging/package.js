/**
 * `npm run package`: writes all files of a release to release/. It needs Linux on x64, whose Node binary prepares the
 * executables. Two runs on the same commit write the same bytes: times are those of the commit.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBillOfMaterials } from './bill-of-materials.js';
import { bundleProgram, createBlob, writeExecutable } from './executables.js';
import { collectLicenses, listPackages } from './licenses.js';
import { NODE_VERSION, PLATFORMS, unpackNode } from './node-binaries.js';

const RELEASE = 'release';
/** The platform that prepares the executables. */
const OWN = 'linux-x64';
const COMPLETIONS = { bash: 'opac.bash', zsh: '_opac', fish: 'opac.fish' };

if (process.platform !== 'linux' || process.arch !== 'x64')
  throw new Error('npm run package needs Linux on x64');
const { files, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const epoch = process.env.SOURCE_DATE_EPOCH ?? run('git', 'log', '-1', '--format=%ct').trim();
process.env.SOURCE_DATE_EPOCH = epoch;

const folder = mkdtempSync(join(tmpdir(), 'opac-package-'));
try {
  rmSync(RELEASE, { recursive: true, force: true });
  mkdirSync(RELEASE);
  run('npm', 'run', 'build');
  // npm packs the modes as they are, which depend on the umask.
  run('chmod', '-R', 'u=rwX,go=rX', ...files, 'package.json', 'README.md', 'LICENSE');
  run('npm', 'pack', '--ignore-scripts', '--pack-destination', RELEASE);
  archive('opac-man.tar.gz', 'dist/man');
  archive('opac-completions.tar.gz', writeCompletions());
  await writeExecutables();
  writeFileSync(join(RELEASE, 'SHA256SUMS'), checksums());
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(readFileSync(join(RELEASE, 'SHA256SUMS'), 'utf8'));

function run(program, ...words) {
  return execFileSync(program, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Packs the files of a folder: sorted, without owners, at the time of the commit. */
function archive(name, from) {
  const same = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner'];
  run('tar', ...same, '--mode=u=rwX,go=rX', '-czf', join(RELEASE, name), '-C', from, '.');
}

function writeCompletions() {
  const target = join(folder, 'completions');
  mkdirSync(target);
  for (const [shell, name] of Object.entries(COMPLETIONS))
    writeFileSync(join(target, name), run(process.execPath, 'bin/opac.js', 'completion', shell));
  return target;
}

async function writeExecutables() {
  const metafile = await bundleProgram(folder, version);
  const home = unpackNode(OWN, folder);
  const builder = join(home, 'bin/node');
  const cached = createBlob(builder, folder, { useCodeCache: true });
  const plain = createBlob(builder, folder, { useCodeCache: false });
  for (const platform of Object.keys(PLATFORMS)) {
    const isWindows = platform.startsWith('win');
    const node = join(
      platform === OWN ? home : unpackNode(platform, folder),
      isWindows ? 'bin/node.exe' : 'bin/node',
    );
    const file = join(RELEASE, `opac-${platform}${isWindows ? '.exe' : ''}`);
    await writeExecutable(file, node, platform === OWN ? cached : plain);
  }
  const license = readFileSync(join(home, 'LICENSE'), 'utf8');
  const licenses = `${collectLicenses(metafile)}\n${'-'.repeat(80)}\n\nNode.js ${NODE_VERSION}\n\n${license}`;
  writeFileSync(join(RELEASE, 'THIRD-PARTY-LICENSES.txt'), licenses);
  copyFileSync('LICENSE', join(RELEASE, 'LICENSE'));
  const bill = createBillOfMaterials(listPackages(metafile), new Date(epoch * 1000));
  writeFileSync(join(RELEASE, 'opac.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
}

/** In the format of sha256sum. */
function checksums() {
  const hash = (name) =>
    createHash('sha256')
      .update(readFileSync(join(RELEASE, name)))
      .digest('hex');
  return readdirSync(RELEASE)
    .sort()
    .map((name) => `${hash(name)}  ${name}\n`)
    .join('');
}
