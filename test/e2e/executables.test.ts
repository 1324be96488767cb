/** The structure of the executables that cannot run here. `npm run test:package` runs this file. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const { PROGRAM = '' } = process.env;
const read = (name: string) => readFileSync(join(dirname(PROGRAM), name));
/** "1" after the fuse tells Node that the binary has a blob. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1';
/** The first bytes of a blob, in Node's src/node_sea.cc. */
const BLOB_MAGIC = Buffer.from('20da4301', 'hex');

describe.skipIf(PROGRAM === '')('the executable', () => {
  it('is for Windows a console program for x64 without a signature, with the blob as a resource', () => {
    const file = read('opac-win-x64.exe');
    const header = file.readUInt32LE(0x3c);
    const optional = header + 24;
    expect(file.toString('latin1', header, header + 4)).toBe('PE\0\0');
    expect(file.readUInt16LE(header + 4)).toBe(0x8664);
    expect(file.readUInt16LE(optional)).toBe(0x20b);
    expect(file.readUInt16LE(optional + 68)).toBe(3);
    // The data directories of PE32+ begin at 112, with 8 bytes each: resources are number 2, certificates number 4.
    const [resources, certificates] = [2, 4].map((index) =>
      file.readUInt32LE(optional + 112 + index * 8 + 4),
    );
    expect(certificates).toBe(0);
    expect(resources).toBeGreaterThan(2_000_000);
    expect(file.includes(Buffer.from('NODE_SEA_BLOB', 'utf16le'))).toBe(true);
    expect(file.includes(FUSE)).toBe(true);
    expect(file.includes(BLOB_MAGIC)).toBe(true);
  });

  it.each([
    ['opac-macos-arm64', 0x0100000c],
    ['opac-macos-x64', 0x01000007],
  ])('has the right processor, no signature, and the blob as a segment: %s', (name, processor) => {
    const file = read(name);
    expect(file.readUInt32LE(0)).toBe(0xfeedfacf);
    expect(file.readUInt32LE(4)).toBe(processor);
    const commands: number[] = [];
    const segments: string[] = [];
    for (let count = file.readUInt32LE(16), at = 32; count > 0; count--, at += file.readUInt32LE(at + 4)) {
      commands.push(file.readUInt32LE(at));
      if (commands.at(-1) === 0x19)
        segments.push(file.toString('latin1', at + 8, at + 24).replace(/\0.*$/, ''));
    }
    expect(segments).toContain('NODE_SEA');
    // LC_CODE_SIGNATURE
    expect(commands).not.toContain(0x1d);
    expect(file.includes(FUSE)).toBe(true);
    expect(file.includes(BLOB_MAGIC)).toBe(true);
  });

  it('is for Linux on arm64 an ELF file for this processor', () => {
    const file = read('opac-linux-arm64');
    expect(file.toString('latin1', 0, 4)).toBe('\x7fELF');
    expect(file.readUInt16LE(18)).toBe(183);
    expect(file.includes(FUSE)).toBe(true);
  });

  it('has the hash that SHA256SUMS contains, like all other files', () => {
    for (const line of read('SHA256SUMS').toString().trim().split('\n')) {
      const [hash, name = ''] = line.split('  ');
      expect(createHash('sha256').update(read(name)).digest('hex'), name).toBe(hash);
    }
  });
});
