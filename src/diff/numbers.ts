/** Lists of numbers and digests that grow, eight bytes and sixteen bytes an entry. */

export class NumberList {
  #numbers = new Float64Array(1024);
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const more = new Float64Array(2 * this.length);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    this.#numbers[this.length++] = number;
  }

  at(index: number): number {
    return this.#numbers[index] as number;
  }
}

/** Half of a SHA-256 is more than enough to tell two texts apart. */
const DIGEST = 16;

export class DigestList {
  #bytes = Buffer.alloc(1024 * DIGEST);
  #length = 0;

  push(digest: Buffer): void {
    if (this.#length === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * this.#length);
    digest.copy(this.#bytes, this.#length, 0, DIGEST);
    this.#length += DIGEST;
  }

  equals(index: number, digest: Buffer): boolean {
    const at = index * DIGEST;
    return this.#bytes.compare(digest, 0, DIGEST, at, at + DIGEST) === 0;
  }
}
