/** Creates names that are valid on NTFS, APFS, ext4 and FAT ("Naming Files, Paths, and Namespaces", Microsoft). */

import { createHash } from 'node:crypto';
import { normalizeUnicode } from '../../service/normalize-unicode.js';
import type { ImageRow } from '../image-row.js';

/** eCryptfs allows names of at most 143 bytes. The remaining 33 bytes are for a suffix, a file extension and `.json`. */
const MAX_NAME_BYTES = 110;

/** Windows reserves these names, also if a file extension follows. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])(?=$|[. ])/i;

/** The names of files that a download writes. A folder must not have one of these names. */
const OWN_FILE = /^(index|report)\.(csv|ndjson)$/i;

/** Returns a name of 1 to 110 bytes. Different texts may get the same name. */
export function toSafeName(text: string): string {
  const visible = text
    .replace(/[\s\p{Z}]+/gu, '_')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\uFFFD]/gu, '');
  const plain = normalizeUnicode(visible, 'NFC')
    .replace(/[<>:"/\\|?*]/g, '_')
    .replace(/^[.\-~]+/, '_')
    .replace(/(?<!\.)\.+$/, '');
  const name = plain.replace(DEVICE, '_$&').replace(OWN_FILE, '_$&') || '_';
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  // Two long names that differ only in the part that is cut off get different suffixes.
  const suffix = `~${shortHash(name)}`;
  let kept = '';
  for (const character of name) {
    if (Buffer.byteLength(kept + character) + suffix.length > MAX_NAME_BYTES) break;
    kept += character;
  }
  return `${kept.replace(/(?<!\.)\.+$/, '')}${suffix}`;
}

/** Returns the same text for names that differ only in case or Unicode form, which some file systems ignore. */
export function foldName(name: string): string {
  return normalizeUnicode(normalizeUnicode(name, 'NFKD').toUpperCase().toLowerCase(), 'NFKC');
}

function shortHash(text: string, length = 8): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** Counts all names first, so that all images with the same name get a suffix, also the first one. Stores only hashes. */
export class UniqueNames {
  readonly #counts = new Map<string, number>();

  add(stem: string): void {
    const key = hashName(stem);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Returns a function that makes names unique. If a name occurs more than once, the function adds a hash of `imageKey`. */
  createAssigner(): (stem: string, imageKey: string) => string {
    const assigned = new Set<string>();
    const numbers = new Map<string, number>();
    return (stem, imageKey) => {
      if (this.#counts.get(hashName(stem)) === 1) return stem;
      const suffixed = `${stem}~${shortHash(imageKey)}`;
      let name = suffixed;
      // This name may also exist: a record may have an image twice, or another name may end with the same suffix.
      let n = numbers.get(suffixed) ?? 2;
      for (; assigned.has(hashName(name)) || this.#counts.has(hashName(name)); n++) name = `${suffixed}~${n}`;
      numbers.set(suffixed, n);
      assigned.add(hashName(name));
      return name;
    };
  }
}

export function getImageKey({ record, image, position }: ImageRow): string {
  return JSON.stringify([record.recordType, record.id, image.id || `#${position}`]);
}

function hashName(stem: string): string {
  return shortHash(foldName(stem), 16);
}
