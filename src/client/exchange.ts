/** One request and its answer: what every layer of the client wraps. */

/** A request to the service, before anything is known about where it is or who asks. */
export interface Request {
  readonly method: 'GET' | 'POST';
  /** Below `{base_url}/api/v3`, percent-encoded, with a leading slash. */
  readonly path: string;
  /** Query parameters in the order they are sent, not yet encoded. */
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** `manual` gives a 3xx answer back as it is; `follow` (default) goes after it within the origin. */
  readonly redirect?: 'follow' | 'manual';
  readonly signal?: AbortSignal | undefined;
}

/** What came back, its body read to the end and decompressed. */
export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** From the request to the last byte of the body, in milliseconds. */
  readonly elapsed: number;
}

/** Sends a request. Each layer is made from the one below: transport < throttle < retry < session. */
export type Send = (request: Request) => Promise<Answer>;
