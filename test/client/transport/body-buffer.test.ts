import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodyBuffer } from '../../../src/client/transport/body-buffer.js';

it('joins chunks of any size in their order', () => {
  const size = fc.oneof(fc.nat(20), fc.nat(5000), fc.nat(100_000));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
      const chunks = sizes.map((length, n) => Buffer.alloc(length, n + 1));
      const body = new BodyBuffer();
      for (const chunk of chunks) body.append(chunk);
      expect(body.length).toBe(sizes.reduce((sum, length) => sum + length, 0));
      expect(body.join().equals(Buffer.concat(chunks))).toBe(true);
    }),
  );
});

it('needs less than 100 MB for two million chunks of one byte', () => {
  const bytes = Buffer.from('0123456789');
  const body = new BodyBuffer();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 2_000_000; n++) body.append(bytes.subarray(n % 10, (n % 10) + 1));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
  expect(body.join().subarray(1_999_990).toString()).toBe('0123456789');
});
