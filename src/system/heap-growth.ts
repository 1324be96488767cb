/** How far V8 lets the heap grow before it collects garbage. */
import { setFlagsFromString } from 'node:v8';

/** The heap grows by at most 30 % between two collections until the returned function is called. V8 allows more. */
export function limitHeapGrowth(): () => void {
  setFlagsFromString('--heap-growing-percent=30');
  return () => setFlagsFromString('--heap-growing-percent=0');
}
