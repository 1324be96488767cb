// Writes an NDJSON file with the same records in another order. One of 200 records is changed.
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

const EDITED = 200;

export async function writeLater(source, target) {
  const out = createWriteStream(target);
  for (const parity of [1, 0]) {
    let n = 0;
    for await (const line of createInterface({ input: createReadStream(source) })) {
      if (n++ % 2 !== parity) continue;
      const edited = n % EDITED === 0 ? line.replace('"slug":"', '"slug":"later-') : line;
      if (!out.write(`${edited}\n`)) await once(out, 'drain');
    }
  }
  out.end();
  await once(out, 'close');
}
