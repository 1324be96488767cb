// Makes single executables: one bundle of the program, put into the Node binary of each platform.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { unsign } from 'macho-unsign';
import { signatureSet } from 'portable-executable-signature';
import { inject } from 'postject';

/** Node looks for this text in its own binary (documentation of single executable applications). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const BUNDLE = 'opac.cjs';

/** An executable runs one script: everything is bundled, except the keyring add-on, which must be a separate file. */
export async function bundleProgram(folder, version) {
  const { metafile } = await build({
    entryPoints: ['bin/opac.js'],
    outfile: join(folder, BUNDLE),
    bundle: true,
    platform: 'node',
    target: 'node26',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    loader: { '.md': 'text' },
    define: { OPAC_VERSION: JSON.stringify(version) },
    alias: { '@napi-rs/keyring': './packaging/no-keyring.js' },
    // `open` checks for itself whether it is bundled.
    logOverride: { 'empty-import-meta': 'silent' },
    plugins: [
      {
        name: 'source',
        setup: ({ onResolve }) =>
          onResolve({ filter: /dist\/main\.js$/ }, () => ({ path: join(process.cwd(), 'src/cli/main.ts') })),
      },
    ],
  });
  return metafile;
}

/** What is put into a Node binary. V8's code cache makes the start faster, on the platform of `node` only. */
export function createBlob(node, folder, { useCodeCache }) {
  if (!useCodeCache) return prepareBlob(node, folder, useCodeCache);
  const [blob, plain] = [['--hash-seed=1'], []].map((flags) =>
    prepareBlob(node, folder, useCodeCache, flags),
  );
  return withFlagHash(blob, plain, readFileSync(join(folder, BUNDLE)));
}

function prepareBlob(node, folder, useCodeCache, flags = []) {
  const config = { main: BUNDLE, output: 'opac.blob', disableExperimentalSEAWarning: true, useCodeCache };
  writeFileSync(join(folder, 'sea.json'), JSON.stringify(config));
  // The blob has the path of the script in it, so this is relative.
  execFileSync(node, [...flags, '--experimental-sea-config', 'sea.json'], { cwd: folder, stdio: 'pipe' });
  return readFileSync(join(folder, 'opac.blob'));
}

/**
 * Without a fixed hash seed, V8 writes other bytes each time. It rejects a code cache made with other flags than its own, so
 * the hash of the flags is copied from a blob made without the seed. The content does not depend on the seed.
 */
function withFlagHash(blob, plain, bundle) {
  // The length of the cache, then its header: magic number, hashes of version, source, flags.
  const header = (bytes) => bytes.indexOf(bundle) + bundle.length + 8;
  const [from, to] = [header(plain), header(blob)];
  if (!plain.subarray(from, from + 12).equals(blob.subarray(to, to + 12)))
    throw new Error('the code cache of this Node version has an unknown header');
  plain.copy(blob, to + 12, from + 12, from + 16);
  return blob;
}

/** Writes the executable. It has no signature: that of the Node binary would no longer be valid. */
export async function writeExecutable(file, node, blob) {
  const binary = readFileSync(node);
  const isWindows = node.endsWith('.exe');
  const unsigned = isWindows ? signatureSet(binary, null) : isMachO(binary) && unsign(binary);
  writeFileSync(file, unsigned ? Buffer.from(unsigned) : binary, { mode: 0o755 });
  await inject(file, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE, machoSegmentName: 'NODE_SEA' });
}

const isMachO = (binary) => binary.readUInt32LE(0) === 0xfeedfacf;
