import { describe, expect, it } from 'vitest';
import { BodyBuffers } from '../../../src/client/wire/body-buffers.js';

const half = (size: number, letter: string) => Buffer.alloc(size / 2, letter);
const joined = (buffers: BodyBuffers, size: number, letter = 'x') =>
  buffers.join([half(size, letter), half(size, letter)], size);

describe('the memory of a body', () => {
  it('is used again once it was given back', () => {
    const buffers = new BodyBuffers();
    const first = joined(buffers, 100_000);
    const second = joined(buffers, 100_000);
    expect(second.buffer).not.toBe(first.buffer);
    buffers.giveBack(first);
    const third = joined(buffers, 90_000, 'y');
    expect(third.buffer).toBe(first.buffer);
    expect(third.toString()).toBe('y'.repeat(90_000));
    expect(second.toString()).toBe('x'.repeat(100_000));
  });

  it('is lent to one at a time, however often it is given back', () => {
    const buffers = new BodyBuffers();
    const first = joined(buffers, 100_000);
    buffers.giveBack(first);
    buffers.giveBack(first);
    expect(joined(buffers, 100_000).buffer).not.toBe(joined(buffers, 100_000).buffer);
  });

  it('is not kept for bodies of another size', () => {
    const buffers = new BodyBuffers();
    const large = joined(buffers, 1_000_000);
    buffers.giveBack(large);
    const small = joined(buffers, 1000);
    expect(small.buffer).not.toBe(large.buffer);
    buffers.giveBack(small);
    expect(joined(buffers, 1_000_000).length).toBe(1_000_000);
  });

  it.each([
    [131_072, true],
    [131_073, false],
    [32_768, true],
    [32_767, false],
  ])('of two steps of 64 kB is used for %i bytes: %s', (size, again) => {
    const buffers = new BodyBuffers();
    const first = joined(buffers, 100_000);
    expect(first.buffer.byteLength).toBe(131_072);
    buffers.giveBack(first);
    const second = buffers.join([Buffer.alloc(1, 'a'), Buffer.alloc(size - 1, 'b')], size);
    expect(second.buffer === first.buffer).toBe(again);
    expect(second).toHaveLength(size);
    expect(second.toString('utf8', 0, 2)).toBe('ab');
  });

  it('of nothing is empty', () => {
    expect(new BodyBuffers().join([], 0)).toHaveLength(0);
  });

  it('is left alone where it is of others, as that of a single chunk', () => {
    const buffers = new BodyBuffers();
    const chunk = Buffer.alloc(100_000, 'x');
    const body = buffers.join([chunk], chunk.length);
    expect(body).toBe(chunk);
    buffers.giveBack(body);
    expect(joined(buffers, 100_000).buffer).not.toBe(chunk.buffer);
  });
});
