// Writes dist/: the program and the library as ES modules, the types of the library, the licences of the bundled packages, and
// the man pages. The modules are split, so that a command loads only its own code.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { manPages } from './man.js';
import { collectLicenses } from './packaging/licenses.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const dist = fileURLToPath(new URL('dist/', import.meta.url));
rmSync(dist, { recursive: true, force: true });

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'esm',
  minifySyntax: true,
  minifyWhitespace: true,
  loader: { '.md': 'text' },
  define: { OPAC_VERSION: JSON.stringify(version) },
  // Node 20 has these features of regular expressions. Otherwise esbuild would replace such a literal with `new RegExp`, which V8
  // compiles immediately. V8 compiles a literal at its first use.
  supported: { 'regexp-set-notation': true, 'regexp-unicode-property-escapes': true },
  external: ['open', '@napi-rs/keyring'],
  logLevel: 'warning',
};

const { metafile } = await build({
  ...common,
  entryPoints: { main: 'src/cli/main.ts', index: 'src/index.ts', mock: 'src/mock/index.ts' },
  outdir: 'dist',
  splitting: true,
  metafile: true,
  // The bundled CommonJS packages load Node's own modules with require().
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
});
writeFileSync(`${dist}THIRD-PARTY-LICENSES.txt`, collectLicenses(metafile));
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', 'src/tsconfig.json'], { stdio: 'inherit' });
// The types of the library refer to those of valibot, which is not a dependency of the package.
copyFileSync('node_modules/valibot/dist/index.d.mts', `${dist}types/system/valibot.d.ts`);

const help = execFileSync(process.execPath, ['bin/opac.js', 'help', '-f', 'json'], { maxBuffer: 1e8 });
const built = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? Date.now() / 1000) * 1000);
mkdirSync(`${dist}man`);
for (const [file, text] of manPages(JSON.parse(help), built.toISOString().slice(0, 10)))
  writeFileSync(`${dist}man/${file}`, text);
