/** Numbers up to 2^32, four bytes each. */
export class NumberList {
  #numbers = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#numbers[index] as number;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const grown = new Uint32Array(this.#length * 2);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[this.#length++] = number;
  }

  /** Those pushed so far, without a copy. */
  get numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.#length);
  }
}
