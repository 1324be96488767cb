/** Measures the response times of the endpoints. */
import type { EndpointId } from '../../service/endpoints/catalogue.js';
import type { RecordedExchange } from './deviation.js';

export interface Latency {
  readonly endpoint: EndpointId;
  /** The number of requests that received a valid response. A request and its retries count as one. */
  readonly requests: number;
  /** In milliseconds: the median, the 95th percentile (`p95`) and the maximum (`longest`). */
  readonly median: number;
  readonly p95: number;
  readonly longest: number;
}

/** Returns the endpoints in the order of their first request. Ignores requests without an endpoint. */
export function measureLatency(exchanges: readonly RecordedExchange[]): Latency[] {
  const times = new Map<EndpointId, number[]>();
  for (const { endpoint, request } of exchanges) {
    if (endpoint === '') continue;
    times.set(endpoint, [...(times.get(endpoint) ?? []), request.milliseconds]);
  }
  return [...times].map(([endpoint, unsorted]) => {
    const sorted = unsorted.toSorted((one, other) => one - other);
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
    return { endpoint, requests: sorted.length, median: at(0.5), p95: at(0.95), longest: at(1) };
  });
}
