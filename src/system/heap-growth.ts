/** How far V8 lets the heap grow before it collects garbage. */
import { setFlagsFromString } from 'node:v8';

/**
 * Lets the old generation grow by at most 30 % between two collections, until the returned function is called. By default, V8 lets
 * it grow to several times the size of the live objects if a program creates many objects.
 */
export function limitHeapGrowth(): () => void {
  setFlagsFromString('--heap-growing-percent=30');
  return () => setFlagsFromString('--heap-growing-percent=0');
}
