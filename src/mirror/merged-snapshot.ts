/** Writes a snapshot from an older one and the changes to it, with its manifest. */
import { isUtf8 } from 'node:buffer';
import { rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SnapshotIndex } from '../diff/snapshot-index.js';
import { manifestPath } from '../export/target.js';
import { type Manifest, printManifest } from '../export/verify/manifest.js';
import type { NotUtf8 } from '../records/json/not-utf8.js';
import type { RecordKind } from '../service/kinds.js';
import { VERSION } from '../service/version.js';
import { AppendFile } from '../system/append-file.js';
import { compressionOf } from '../system/compression.js';
import { fileError } from '../system/file-error.js';
import { replaceFile } from '../system/replace-file.js';
import type { Changes } from './find-changes.js';

/** Writes the file and its manifest. Throws an OpacError when the disk does not take them. */
export async function writeMerged(
  target: string,
  index: SnapshotIndex,
  { fetched, removed }: Changes,
  {
    kind,
    manifest,
    started,
  }: { readonly kind: RecordKind; readonly manifest: Manifest; readonly started: string },
): Promise<Manifest> {
  let records = 0;
  const line = (bytes: Buffer) => {
    records++;
    return Buffer.concat([bytes, Buffer.from('\n')]);
  };
  function* lines(): Generator<Buffer> {
    for (const id of index.ids(kind)) {
      if (removed.has(id)) continue;
      yield line(fetched.get(id) ?? index.bytes(index.find(kind, id) as number));
    }
    for (const [id, bytes] of fetched) if (index.find(kind, id) === undefined) yield line(bytes);
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
    received: fetched.size,
    duplicates: 0,
    withoutId: 0,
    notUtf8: notUtf8After(manifest, { fetched, removed }),
    pages: [],
  };
  await replaceFile(manifestPath(target), printManifest(now));
  return now;
}

function notUtf8After(
  { notUtf8 = { records: 0, ids: [] } }: Partial<Manifest>,
  { fetched, removed }: Changes,
): NotUtf8 {
  const gone = notUtf8.ids.filter((id) => removed.has(id) || fetched.has(id));
  const came = [...fetched].filter(([, bytes]) => !isUtf8(bytes)).map(([id]) => id);
  return {
    records: notUtf8.records - gone.length + came.length,
    ids: [...notUtf8.ids.filter((id) => !gone.includes(id)), ...came],
  };
}

/** Writes pieces to a file, compressed as its name says. */
async function writeLines(
  target: string,
  lines: Iterable<Buffer>,
): Promise<{ bytes: number; sha256: string }> {
  const part = await AppendFile.create(`${target}.part.new`);
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
