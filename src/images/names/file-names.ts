/**
 * Text from records made into file names that every file system takes: NTFS, APFS, ext4, FAT and what archives and network
 * shares pass on ("Naming Files, Paths, and Namespaces", Microsoft).
 */
import { createHash } from 'node:crypto';
import type { ImageRow } from '../image-row.js';

/** Bytes of UTF-8: with a mark, an ending and `.json` behind it a name stays below the 143 bytes of eCryptfs. */
const LONGEST = 110;

/** Names of devices on Windows, whatever ending follows. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])(?=$|[. ])/i;

/** Files that a download writes itself; a folder of that name would stand in their way. */
const OWN_FILE = /^(index|report)\.(csv|ndjson)$/i;

/**
 * One part of a path: at least 1 and at most 110 bytes, without separators, control characters, white space, or dots at
 * either end. Different texts may give the same name.
 */
export function toSafeName(text: string): string {
  const plain = text
    .replace(/[\s\p{Z}]+/gu, '_')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\uFFFD]/gu, '')
    .normalize('NFC')
    .replace(/[<>:"/\\|?*]/g, '_')
    .replace(/^[.\-~]+/, '_')
    .replace(/(?<!\.)\.+$/, '');
  const whole = plain.replace(DEVICE, '_$&').replace(OWN_FILE, '_$&') || '_';
  if (Buffer.byteLength(whole) <= LONGEST) return whole;
  // Long names still differ by what is cut off.
  const mark = `~${shortHash(whole)}`;
  let kept = '';
  for (const character of whole) {
    if (Buffer.byteLength(kept + character) + mark.length > LONGEST) break;
    kept += character;
  }
  return `${kept.replace(/(?<!\.)\.+$/, '')}${mark}`;
}

/** Equal for names that some file system takes for one: case and Unicode form do not count. */
export function foldName(name: string): string {
  return name.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKC');
}

function shortHash(text: string, length = 8): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/**
 * Gives each image a name of its own where a template gives several the same. Works in two passes, so that names do not
 * depend on the order of images: collect wishes, then assign. Keeps hashes only.
 */
export class UniqueNames {
  readonly #wanted = new Map<string, number>();

  want(stem: string): void {
    const key = keyOf(stem);
    this.#wanted.set(key, (this.#wanted.get(key) ?? 0) + 1);
  }

  /** Starts the second pass: a stem wanted once stays alone, others get a mark of their identity. */
  again(): (stem: string, identity: string) => string {
    const marks = new Set<string>();
    return (stem, identity) => {
      if (this.#wanted.get(keyOf(stem)) === 1) return stem;
      const marked = `${stem}~${shortHash(identity)}`;
      let name = marked;
      // The same image of the same record twice, or a name that ends like a mark.
      for (let n = 2; marks.has(keyOf(name)) || this.#wanted.has(keyOf(name)); n++) name = `${marked}~${n}`;
      marks.add(keyOf(name));
      return name;
    };
  }
}

export function identityOf({ record, image, position }: ImageRow): string {
  return JSON.stringify([record.recordType, record.id, image.id || `#${position}`]);
}

function keyOf(stem: string): string {
  return shortHash(foldName(stem), 16);
}
