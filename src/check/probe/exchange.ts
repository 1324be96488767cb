import type { EndpointId } from '../../service/endpoints/catalogue.js';

/** A request with its response, fit to be shown. */
export interface Exchange {
  /** `''` for a path that is in no row of the catalogue. */
  readonly endpoint: EndpointId | '';
  /** Below `/api/v3`, with its query; for an image its whole address. */
  readonly path: string;
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly tries: number;
  /** What became of the tries before the last: `503`. */
  readonly earlier: readonly string[];
  readonly curl: string;
  readonly excerpt: string;
  /** Whether the bytes of the response are UTF-8, after those of another encoding that it declares were converted. */
  readonly isUtf8: boolean;
}
