/** Decodes Windows-1252, which the WHATWG Encoding Standard also uses for "iso-8859-1" and "ascii". */

/** The characters of bytes 0x80 to 0x9f. Many versions of Node decode them as control characters (nodejs/node#60888). */
const UPPER_CONTROLS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

export function decodeWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (byte) => UPPER_CONTROLS.charAt(byte.charCodeAt(0) - 0x80));
}
