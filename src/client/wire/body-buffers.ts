/** Memory of bodies, used again: the garbage collector would otherwise run for the memory of pages alone. */

/** Bodies of about the same size share memory: it comes in steps of so many bytes. */
const STEP = 1 << 16;

export class BodyBuffers {
  readonly #free: Buffer[] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();

  /** The chunks as one body; a single one as it is. */
  join(chunks: readonly Buffer[], size: number): Buffer {
    const [only] = chunks;
    if (only && chunks.length === 1) return only;
    const memory = this.#memoryFor(size);
    this.#lent.add(memory.buffer);
    let length = 0;
    for (const chunk of chunks) length += chunk.copy(memory, length);
    return memory.subarray(0, length);
  }

  /** Takes back the memory of a body that nothing reads any more; leaves alone what is not from here. */
  giveBack({ buffer }: Buffer): void {
    if (this.#lent.delete(buffer)) this.#free.push(Buffer.from(buffer));
  }

  /** Memory that does not fit is dropped, so that a large body is not kept for small ones. */
  #memoryFor(size: number): Buffer {
    const free = this.#free.pop();
    const fits = free && size <= free.length && free.length <= 2 * size + STEP;
    return fits ? free : Buffer.allocUnsafeSlow(Math.ceil(size / STEP) * STEP);
  }
}
