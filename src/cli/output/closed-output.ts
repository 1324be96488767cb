/** Standard output that a shell closed (`>&-`): Node puts /dev/null in its place, where the data would be lost in silence. */
import { readFileSync, readlinkSync } from 'node:fs';
import { OpacError } from '../../service/errors.js';

const SHELL = /^(?:(?:ba|da|z|k|mk|a)?sh|busybox|fish)$/;
/** The access mode among the flags of an open file, as open(2) has them. */
const ACCESS_MODE = 0o3;
const READ_AND_WRITE = 0o2;

/**
 * Throws an OpacError when standard output is closed. Only Linux tells: Node opens /dev/null for reading and writing, shells
 * open it for writing alone (`>/dev/null`). Programs that start others may do as Node, so the parent must be a shell, and its
 * own output another.
 */
export function assertOpenOutput(): void {
  if (process.platform !== 'linux' || !isNullByNode('self') || isNullByNode(String(process.ppid))) return;
  if (!SHELL.test(read(`/proc/${process.ppid}/comm`).trim())) return;
  throw new OpacError('internal', 'standard output is closed', {
    hint: 'write to a file with -o, or to /dev/null',
    code: 'output-closed',
  });
}

function isNullByNode(pid: string): boolean {
  try {
    if (readlinkSync(`/proc/${pid}/fd/1`) !== '/dev/null') return false;
  } catch {
    return false;
  }
  const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(read(`/proc/${pid}/fdinfo/1`)) ?? [];
  return (Number.parseInt(flags, 8) & ACCESS_MODE) === READ_AND_WRITE;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
