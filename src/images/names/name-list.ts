/** One name for each image: what a template gives, told apart where several images want the same. */
import type { ImageRow } from '../image-row.js';
import { foldedName, shortHash } from './safe-name.js';

/**
 * Gives names in two steps, so that they do not depend on the order of the images: first every image says what it wants,
 * then each gets its name. Keeps a hash of each name and no names.
 */
export class NameList {
  /** How often a name is wanted, by the hash of its folded form. */
  readonly #wanted = new Map<string, number>();

  want(stem: string): void {
    const key = keyOf(stem);
    this.#wanted.set(key, (this.#wanted.get(key) ?? 0) + 1);
  }

  /**
   * Names images from the first one on: each gets the stem alone or, when several want it, with a mark of its identity behind
   * it.
   */
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

/** What identifies an image, wherever in a result it comes. */
export function identityOf({ record, image, position }: ImageRow): string {
  return JSON.stringify([record.recordType, record.id, image.id || `#${position}`]);
}

function keyOf(stem: string): string {
  return shortHash(foldedName(stem), 16);
}
