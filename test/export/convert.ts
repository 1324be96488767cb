/** Runs a converter on records. */
import type { Converter, RecordBytes, Records } from '../../src/export/convert/converter.js';

/** Returns groups of records that can be read several times. Each record is a line of JSON. */
export function recordsOf(...groups: readonly (readonly string[])[]): Records {
  return {
    async *[Symbol.asyncIterator]() {
      for (const group of groups) {
        const bytes = Buffer.from(group.map((line) => `${line}\n`).join(''));
        let start = 0;
        yield group.map((line): RecordBytes => {
          const end = start + Buffer.byteLength(line);
          const record = { bytes, start, end };
          start = end + 1;
          return record;
        });
      }
    },
  };
}

/** Returns the bytes of a file with these records. Reads the records twice if the converter must find the columns first. */
export async function convert(converter: Converter, records: Records): Promise<Buffer> {
  await converter.scan?.(records, 1);
  const pieces: Uint8Array[] = [];
  for await (const piece of converter.convert(records)) pieces.push(piece);
  return Buffer.concat(pieces);
}

export async function convertText(
  converter: Converter,
  ...groups: readonly (readonly string[])[]
): Promise<string> {
  return (await convert(converter, recordsOf(...groups))).toString();
}
