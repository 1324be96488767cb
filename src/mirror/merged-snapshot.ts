/** Writes a snapshot anew from an older one and what a walk found, with its manifest. */
import { rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SnapshotIndex } from '../diff/snapshot-index.js';
import { fileError } from '../export/files/file-error.js';
import { PartFile } from '../export/files/part-file.js';
import { writeWhole } from '../export/files/whole-file.js';
import { type Manifest, printManifest } from '../export/run/manifest.js';
import { manifestPath } from '../export/run/target.js';
import type { RecordKind } from '../service/kinds.js';
import { VERSION } from '../service/version.js';
import { compressionOf } from '../system/compression.js';
import type { QuickWalk } from './quick-walk.js';

/** Writes the file and its manifest; gives the number of records. Throws an OpacError when the disk does not take them. */
export async function writeMerged(
  target: string,
  index: SnapshotIndex,
  walk: QuickWalk,
  {
    kind,
    manifest,
    started,
  }: { readonly kind: RecordKind; readonly manifest: Manifest; readonly started: string },
): Promise<number> {
  let records = 0;
  const line = (bytes: Buffer) => {
    records++;
    return Buffer.concat([bytes, Buffer.from('\n')]);
  };
  function* lines(): Generator<Buffer> {
    for (const id of index.ids(kind)) {
      if (walk.removed.has(id)) continue;
      yield line(walk.fetched.get(id) ?? index.bytes(index.find(kind, id) as number));
    }
    for (const [id, bytes] of walk.fetched) if (index.find(kind, id) === undefined) yield line(bytes);
  }
  const made = await writeLines(target, lines());
  const now: Manifest = {
    ...manifest,
    tool: `opac ${VERSION}`,
    files: [{ name: basename(target), ...made, records }],
    started,
    finished: new Date().toISOString(),
    warnings: [],
    totals: { first: records, last: records, drift: [] },
    records,
    received: walk.fetched.size,
    duplicates: 0,
    withoutId: 0,
    pages: [],
  };
  await writeWhole(manifestPath(target), printManifest(now));
  return records;
}

/** Writes pieces to a file, compressed as its name says. */
async function writeLines(
  target: string,
  lines: Iterable<Buffer>,
): Promise<{ bytes: number; sha256: string }> {
  const part = await PartFile.create(`${target}.part.new`);
  try {
    const source = Readable.from(lines);
    const compression = compressionOf(target);
    const write = async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) await part.append(piece);
    };
    await (compression ? pipeline(source, compression.compress(), write) : pipeline(source, write));
    await part.sync();
  } finally {
    await part.close();
  }
  await rename(part.path, target).catch((error) => Promise.reject(fileError(error, 'write', target)));
  return { bytes: part.bytes, sha256: part.sha256() };
}
