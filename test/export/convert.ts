/** What a converter makes of records. */
import type { Converter, RecordBytes, Records } from '../../src/export/convert/converter.js';

/** Groups of records, each a line of JSON, that can be read again. */
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

/** The bytes of a file of these records, whose columns are found first. */
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
