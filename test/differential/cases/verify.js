/** `opac verify` must exit with 0 only for existing files that are complete according to their manifest. */
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { check } from '../context.js';
import { FORMATS } from '../reference/read-output.js';

const FAILURE = [1, 2, 3, 6];

/** Files that are missing, changed or copied under another name. */
export async function verifyFiles(context) {
  const { random } = context;
  const service = await context.serve({ objects: random.integer(1, 60) }, { deployment: { cap: 100 } });
  const format = random.pick(FORMATS);
  const [own, other] = [`own.${format}`, `bak.${format}`];
  await context.run(['objects', 'export', '-o', own], { service });
  const path = (name) => context.path(name);
  await copyFile(path(`${own}.manifest.json`), path(`${other}.manifest.json`));
  await context.run(['verify', other], { exits: FAILURE });
  await copyFile(path(own), path(other));
  await context.run(['verify', other]);
  const bytes = await readFile(path(other));
  const at = random.integer(0, bytes.length - 1);
  const damage = {
    cut: () => bytes.subarray(0, at),
    longer: () => Buffer.concat([bytes, Buffer.from('\n')]),
    flipped: () =>
      Buffer.concat([bytes.subarray(0, at), Buffer.from([bytes[at] ^ 1]), bytes.subarray(at + 1)]),
  };
  await writeFile(path(other), damage[random.pick(Object.keys(damage))]());
  await context.run(['verify', other], { exits: [6] });
  await rm(path(own));
  await context.run(['verify', own], { exits: FAILURE });
}

/** Changes that make the manifest of an incomplete export contradict itself. */
const CONTRADICTIONS = {
  'complete alone': (manifest) => ({ ...manifest, complete: true }),
  'no reasons': (manifest) => ({ ...manifest, reasons: [] }),
  'complete without reasons': (manifest) => ({ ...manifest, complete: true, reasons: [] }),
  'neither reasons nor gaps': (manifest) => ({ ...manifest, reasons: [], gaps: [] }),
};

/** Changes that make the manifest of a complete export contradict itself. */
const COMPLETE_CONTRADICTIONS = {
  incomplete: (manifest) => ({ ...manifest, complete: false }),
  'more records': (manifest) => ({ ...manifest, records: manifest.records + 1 }),
  'fewer records in its file': (manifest) => ({
    ...manifest,
    files: manifest.files.map((file) => ({ ...file, records: file.records - 1 })),
  }),
};

export async function verifyManifests(context) {
  const { random } = context;
  const service = await context.serve({ objects: 60 }, { deployment: { cap: 10 } });
  const format = random.pick(['csv', 'ndjson', 'json', 'tsv']);
  const isComplete = random.chance(0.3);
  if (!isComplete) service.faultOf = (url) => (/offset=(20|40)(&|$)/.test(url) ? '503' : undefined);
  const words = ['objects', 'export', '-o', `own.${format}`, '--retries', '0'];
  const { code } = await context.run(words, { service, exits: isComplete ? [0] : [5, 6] });
  const name = code === 0 ? `own.${format}.manifest.json` : `own.incomplete.${format}.manifest.json`;
  if (!(await context.names()).includes(name)) return;
  const manifest = JSON.parse(await readFile(context.path(name), 'utf8'));
  for (const [what, change] of Object.entries(isComplete ? COMPLETE_CONTRADICTIONS : CONTRADICTIONS)) {
    await writeFile(context.path(name), JSON.stringify(change(manifest)));
    const { code: found } = await context.run(['verify', name], { exits: [0, ...FAILURE] });
    check(found !== 0, () => `verify accepts a manifest that contradicts itself: ${what}`);
  }
}
