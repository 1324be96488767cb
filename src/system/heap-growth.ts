import { setFlagsFromString } from 'node:v8';

/** Limits the growth of the heap between two garbage collections to 30 %. The returned function restores the default. */
export function limitHeapGrowth(): () => void {
  setFlagsFromString('--heap-growing-percent=30');
  return () => setFlagsFromString('--heap-growing-percent=0');
}
