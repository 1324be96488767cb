/** Collects the chunks of a body. Copies small chunks into blocks, because each Buffer object needs about 100 bytes of memory. */
const BLOCK_SIZE = 64 * 1024;
/** The maximum size of a small chunk, in bytes. */
const MAX_COPIED = 4096;

export class BodyBuffer {
  length = 0;
  readonly #parts: Buffer[] = [];
  #block = Buffer.alloc(0);
  #used = 0;

  append(chunk: Buffer): void {
    this.length += chunk.length;
    const isLarge = chunk.length > MAX_COPIED;
    if (isLarge || this.#used + chunk.length > this.#block.length) this.#finishBlock(isLarge);
    if (isLarge) this.#parts.push(chunk);
    else this.#used += chunk.copy(this.#block, this.#used);
  }

  join(): Buffer {
    this.#finishBlock(true);
    return Buffer.concat(this.#parts, this.length);
  }

  /** With `keepsRest`, the unused bytes of the block become the next block; otherwise allocates a new block. */
  #finishBlock(keepsRest: boolean): void {
    if (this.#used > 0) this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = keepsRest ? this.#block.subarray(this.#used) : Buffer.alloc(BLOCK_SIZE);
    this.#used = 0;
  }
}
