/**
 * Changes the files of a ZIP while it streams, and compresses them. Takes a ZIP of stored XML whose headers are without sizes
 * (APPNOTE 4.4.4, bit 3): the mark of the sizes behind each file holds a byte that XML cannot.
 */
import { crc32, createDeflateRaw } from 'node:zlib';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const SIZES = Buffer.from([0x50, 0x4b, 0x07, 0x08]);
const LOCAL_BYTES = 30;
const SIZES_BYTES = 16;
/** Version 2.0, sizes behind the file, deflated, 1 January 1980: the same files give the same bytes. */
const COMMON = Buffer.from([20, 0, 8, 0, 8, 0, 0, 0, 33, 0]);

export type Change = (name: string, content: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

interface Written {
  readonly name: Buffer;
  readonly sizes: Buffer;
  readonly at: number;
}

export async function* rewriteZip(source: AsyncIterable<Uint8Array>, change: Change): AsyncGenerator<Buffer> {
  const input = new Input(source);
  const files: Written[] = [];
  let at = 0;
  for (let head = await input.take(LOCAL_BYTES); head.readUInt32LE(0) === LOCAL; ) {
    const name = await input.take(head.readUInt16LE(26));
    const file = deflated(change(name.toString(), input.upTo(SIZES)));
    files.push({ name, sizes: file.sizes, at });
    const begin = Buffer.concat([numbers(LOCAL), COMMON, numbers(0, 0, 0), shorts(name.length, 0), name]);
    yield begin;
    at += begin.length;
    for await (const piece of file.pieces) {
      at += piece.length;
      yield piece;
    }
    const behind = Buffer.concat([SIZES, file.sizes]);
    yield behind;
    at += behind.length;
    await input.take(SIZES_BYTES);
    head = await input.take(LOCAL_BYTES);
  }
  const central = Buffer.concat(files.flatMap(centralEntry));
  yield Buffer.concat([
    central,
    numbers(END),
    shorts(0, 0, files.length, files.length),
    numbers(central.length, at),
    shorts(0),
  ]);
}

function centralEntry({ name, sizes, at }: Written): Buffer[] {
  return [numbers(CENTRAL), shorts(20), COMMON, sizes, shorts(name.length, 0, 0, 0, 0), numbers(0, at), name];
}

/** `sizes` (checksum, compressed and plain size) are set when the pieces are read. */
function deflated(content: AsyncIterable<Buffer>) {
  const sizes = Buffer.alloc(12);
  async function* pieces(): AsyncGenerator<Buffer> {
    let sum = 0;
    let plain = 0;
    let compressed = 0;
    const zip = createDeflateRaw();
    const input = (async () => {
      for await (const piece of content) {
        sum = crc32(piece, sum);
        plain += piece.length;
        if (!zip.write(piece)) await new Promise((resolve) => zip.once('drain', resolve));
      }
      zip.end();
    })();
    input.catch((error) => zip.destroy(error));
    for await (const piece of zip) {
      compressed += piece.length;
      yield piece;
    }
    for (const [n, number] of [sum, compressed, plain].entries()) sizes.writeUInt32LE(number, 4 * n);
  }
  return { sizes, pieces: pieces() };
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [n, value] of values.entries()) bytes.writeUInt32LE(value, 4 * n);
  return bytes;
}

function shorts(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [n, value] of values.entries()) bytes.writeUInt16LE(value, 2 * n);
  return bytes;
}

class Input {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#pieces = source[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    while (this.#held.length < count && (await this.#more())) {
      // One piece may be too short.
    }
    if (this.#held.length < count) throw new Error('the ZIP ends in the middle');
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }

  async *upTo(mark: Buffer): AsyncGenerator<Buffer> {
    for (let at = this.#held.indexOf(mark); ; at = this.#held.indexOf(mark)) {
      // The mark may be cut in two.
      const sure = at < 0 ? Math.max(0, this.#held.length - mark.length + 1) : at;
      if (sure > 0) yield await this.take(sure);
      if (at >= 0) return;
      if (!(await this.#more())) throw new Error('the ZIP ends in the middle');
    }
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (!done) this.#held = Buffer.concat([this.#held, value]);
    return !done;
  }
}
