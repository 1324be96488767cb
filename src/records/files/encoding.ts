/** The encodings of text files: UTF-8, UTF-16 and Windows-1252. */
import { Transform } from 'node:stream';
import { decodeWindows1252 } from '../../system/windows-1252.js';

export type Encoding = 'utf8' | 'windows-1252';

/** The end of a note that begins with the name of a file. */
export const AS_WINDOWS_1252 = 'is not UTF-8; it was read as Windows-1252';

const BOM = Buffer.from('\ufeff');

export function sizeOfBom(bytes: Buffer): number {
  return bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}

export function decodeBytes(bytes: Buffer, start: number, end: number, encoding: Encoding): string {
  if (encoding === 'utf8') return bytes.toString('utf8', start, end);
  return decodeWindows1252(bytes.subarray(start, end));
}

/** Returns a stream that converts UTF-16 ("Unicode text" of spreadsheets) to UTF-8; undefined without a UTF-16 BOM. */
export function utf16Decoder([one, other]: Buffer): Transform | undefined {
  const isLittle = one === 0xff && other === 0xfe;
  if (!isLittle && !(one === 0xfe && other === 0xff)) return undefined;
  const decoder = new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be');
  return new Transform({
    transform: (bytes: Buffer, _, done) => done(null, decoder.decode(bytes, { stream: true })),
    flush: (done) => done(null, decoder.decode()),
  });
}
