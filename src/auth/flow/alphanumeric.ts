/** Random text of letters and digits, and its comparison without a telling duration. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet below 256: bytes from here on would favour the first letters. */
const FAIR = 256 - (256 % ALPHABET.length);

/** So many letters and digits from the system's random source, each 5.95 bits. */
export function randomAlphanumeric(length: number): string {
  let drawn = '';
  while (drawn.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < FAIR && drawn.length < length) drawn += ALPHABET[byte % ALPHABET.length];
    }
  }
  return drawn;
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
