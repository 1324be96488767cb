/** Gives each image a name of its own where a template gives several the same. */
import type { ImageRow } from '../image-row.js';
import { foldedName, shortHash } from './safe-name.js';

/**
 * Works in two passes, so that names do not depend on the order of images: collect wishes, then assign. Keeps hashes only.
 */
export class NameList {
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
  return shortHash(foldedName(stem), 16);
}
