// Measures searches in exported files, the comparison of exports, and a mirror of a museum without changes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { writeLater } from './edit.js';
import { has, here, measure, print, program, ratio, row } from './measure.js';
import { recordOf } from './records.js';

const WANTED = 'no. 11111';
const MANY = 1_000_000;

/** `exported`: an NDJSON export with this number of records. */
export async function benchCopies({ exported, records, folder, isMany }) {
  const opac = (words, stdout = 'ignore') =>
    measure(process.execPath, [program, ...words], { folder, stdout });
  const compressed = join(folder, 'out.copy.gz');
  await pipeline(createReadStream(exported), createGzip({ level: 1 }), createWriteStream(compressed));
  for (const [name, path] of [
    ['NDJSON', exported],
    ['.gz', compressed],
  ]) {
    const search = (words) => opac([...words, '--quiet', '--from', path]);
    row(`opac, first search in ${name}`, await search(['objects', 'list', WANTED]));
    const after = await search(['objects', 'list', '--where', `name=${WANTED}`]);
    row('  then one field', after, ratio(after.wall, 0.5, 'half a second'));
    for (const [what, ...words] of [
      ['all fields', 'objects', 'list', 'glass', 'model'],
      ['sorted', 'objects', 'list', 'glass', '--sort', 'name'],
      ['count', 'objects', 'count', 'glass'],
      ['get', 'objects', 'get', '1011111'],
      ['images', 'images', 'list', '--where', `name=${WANTED}`],
      ['fields', 'objects', 'fields'],
      ['facets', 'facets', 'list', 'objects'],
    ])
      row(`  then ${what}`, await search(words));
  }
  const measureOther = (command, ...args) => measure(command, args, { folder, stdout: 'ignore' });
  if (has('jq'))
    row('jq, the same search', await measureOther('jq', '-r', '-f', here('search.jq'), exported));
  if (has('python3'))
    row('Python, the same search', await measureOther('python3', here('search.py'), exported));

  const compare = async (old, what) => {
    const later = `${old}.later`;
    await writeLater(old, later);
    row(`opac diff, ${what}`, await opac(['diff', old, later, '-f', 'ndjson', '--quiet']));
    if (has('jq')) row(`jq and comm, ${what}`, await measureOther('bash', here('compare.sh'), old, later));
    if (has('python3')) row(`Python, ${what}`, await measureOther('python3', here('compare.py'), old, later));
  };
  await compare(exported, 'two NDJSON');
  if (isMany) {
    const many = join(folder, 'many.ndjson');
    await writeRecords(many, MANY);
    await compare(many, 'two with a million records');
  }
  await benchMirror(opac, records, folder);
}

async function benchMirror(opac, records, folder) {
  const museum = spawn(process.execPath, [program, 'mock', '--records', String(records), '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    let url;
    for await (const line of createInterface({ input: museum.stdout })) {
      url = /http:\/\/[\d.]+:\d+/.exec(line)?.[0];
      if (url) break;
    }
    const result = join(folder, 'sync.txt');
    const mirror = join(folder, 'mirror');
    for (const what of ['first', 'nothing changed']) {
      const words = ['sync', mirror, '--kinds', 'objects', '--newest-first', 'name', '--base-url', url];
      row(`opac sync, ${what}`, await opac([...words, '--quiet'], openSync(result, 'w')));
      print(`  ${readFileSync(result, 'utf8').split('\n')[0]}`);
    }
  } finally {
    museum.kill();
  }
}

async function writeRecords(path, count) {
  const out = createWriteStream(path);
  for (let n = 0; n < count; n++)
    if (!out.write(`${JSON.stringify(recordOf(n))}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
}
