/** How far V8 lets the heap grow before it collects garbage. */
import { setFlagsFromString } from 'node:v8';

const LIMITED = ['--semi-space-growth-factor=1', '--heap-growing-percent=30'];
const DEFAULT = ['--semi-space-growth-factor=2', '--heap-growing-percent=0'];

/**
 * Limits the growth of the heap until the returned function is called: the young generation keeps its size, and the old one grows
 * by 30 %. By default, V8 lets both grow to several times the size of the live objects if a program creates many objects.
 */
export function limitHeapGrowth(): () => void {
  for (const flag of LIMITED) setFlagsFromString(flag);
  return () => {
    for (const flag of DEFAULT) setFlagsFromString(flag);
  };
}
