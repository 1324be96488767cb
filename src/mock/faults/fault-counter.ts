/** Decides which requests meet a fault. */
import { defectOf } from './defects.js';
import type { Fault, When } from './fault.js';

/** Nouns that a fault affects only when it names them. */
const EXCLUDED_NOUNS = ['oauth', 'images', 'retired'];

export class FaultCounter {
  readonly #counts: { readonly fault: Fault; count: number }[];

  constructor(faults: readonly Fault[]) {
    this.#counts = faults.map((fault) => ({ fault, count: 0 }));
  }

  next(routeId: string): Fault | undefined {
    let matching: Fault | undefined;
    for (const counted of this.#counts) {
      if (!isOn(counted.fault, routeId)) continue;
      counted.count++;
      if (matches(counted.fault, counted.count)) matching ??= counted.fault;
    }
    return matching;
  }
}

function isOn({ kind, on = defectOf(kind)?.on }: Fault, routeId: string): boolean {
  const noun = routeId.split('.')[0] as string;
  if (on === undefined) return !EXCLUDED_NOUNS.includes(noun);
  return [on].flat().some((name) => name === routeId || name === noun);
}

function matches({ every, first, after, count }: When, number: number): boolean {
  if (every !== undefined && number % every !== 0) return false;
  if (first !== undefined && number > first) return false;
  if (after !== undefined && number <= after) return false;
  return count === undefined || number <= (after ?? 0) + count;
}
