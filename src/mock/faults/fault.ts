/** Faults as data: what goes wrong, and with which requests. What they do is in fault-effects.ts. */

export type Fault = When & Failure;

/** Which requests a fault meets; without any of these, all that it is `on`. Of several faults the first that meets wins. */
export interface When {
  /** Every n-th: 7 meets the 7th, 14th … */
  readonly every?: number;
  /** The first n. */
  readonly first?: number;
  /** Those after the first n; with `count`, only so many of them. */
  readonly after?: number;
  readonly count?: number;
  /**
   * Ids of the catalogue (`objects.search`) or their nouns (`objects`, `oauth`), or `images` for the pictures.
   * Default: every route but `oauth` and `images`. Only these requests are counted.
   */
  readonly on?: string | readonly string[];
}

export type Failure =
  /** An error of the service. `retryAfter` adds the header in one of its two forms (RFC 9110 section 10.2.3). */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: 'seconds' | 'date';
      /** Default 1. A date has no fractions of a second. */
      readonly retryAfterSeconds?: number;
      /** Default `{"message": …}`. */
      readonly body?: string;
    }
  /** The connection ends before a byte of the answer. */
  | { readonly kind: 'cut-before' }
  /** The connection ends in the middle of the body. */
  | { readonly kind: 'cut-body' }
  /** The body stops half-way, until the client gives up or the museum closes. */
  | { readonly kind: 'stall' }
  /** Good HTTP, half a JSON text. */
  | { readonly kind: 'truncated' }
  /** The firewall's challenge: 202, `x-amzn-waf-action: challenge` and HTML. */
  | { readonly kind: 'challenge' }
  /** The firewall's 403 with HTML; usually in bursts. */
  | { readonly kind: 'forbidden' }
  /** 200 with HTML. */
  | { readonly kind: 'html' }
  /** A redirect; default status 302. */
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** The true answer after a pause, in milliseconds (default 250). */
  | { readonly kind: 'slow-start'; readonly pause?: number }
  /** The true JSON answer with some keys set and others dropped; what is not JSON stays as it is. */
  | {
      readonly kind: 'patched';
      readonly set?: Readonly<Record<string, unknown>>;
      readonly drop?: readonly string[];
    };

/** Nouns that a fault meets only when it names them. */
const SPARED = ['oauth', 'images'];

/** Counts the requests that each fault is on, and says which fault meets one. */
export class FaultCounter {
  readonly #counts: { readonly fault: Fault; count: number }[];

  constructor(faults: readonly Fault[]) {
    this.#counts = faults.map((fault) => ({ fault, count: 0 }));
  }

  /** The fault that meets the next request to a route, if any. */
  next(routeId: string): Fault | undefined {
    let met: Fault | undefined;
    for (const counted of this.#counts) {
      if (!isOn(counted.fault, routeId)) continue;
      counted.count++;
      if (meets(counted.fault, counted.count)) met ??= counted.fault;
    }
    return met;
  }
}

function isOn({ on }: When, routeId: string): boolean {
  const noun = routeId.split('.')[0] as string;
  if (on === undefined) return !SPARED.includes(noun);
  return [on].flat().some((name) => name === routeId || name === noun);
}

function meets({ every, first, after, count }: When, number: number): boolean {
  if (every !== undefined && number % every !== 0) return false;
  if (first !== undefined && number > first) return false;
  if (after !== undefined && number <= after) return false;
  return count === undefined || number <= (after ?? 0) + count;
}
