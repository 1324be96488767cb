/** Removes the line breaks and spaces between the tokens of JSON without parsing it. */
import { QUOTE } from './bytes.js';
import { skipString } from './skip-json.js';

/** The bytes must be valid JSON. */
export function compactJson(bytes: Buffer): Buffer {
  const line = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let i = 0;
  while (i < bytes.length) {
    const byte = bytes[i] ?? 0;
    if (byte === QUOTE) {
      const end = skipString(bytes, i);
      length += bytes.copy(line, length, i, end);
      i = end;
    } else {
      i++;
      if (byte > 0x20) line[length++] = byte;
    }
  }
  return line.subarray(0, length);
}
