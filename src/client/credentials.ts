/** The source of the Authorization header. `src/auth` implements it. */

export interface Credentials {
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  /** The header, `Bearer …` or `Basic …`; undefined to send none. */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  /** After a 401 response to the header `rejected`: returns a header that another process has saved meanwhile, or undefined. */
  readonly reload?: (rejected: string) => Promise<string | undefined>;
  /** After a 401 response to the header `rejected`: gets a new token and returns its header; undefined if that is not possible. */
  readonly renew?: (rejected: string) => Promise<string | undefined>;
  /** After the service accepted a renewed header for the first time: lets other processes use it. */
  readonly accepted?: (value: string) => Promise<void>;
  /** What the user can do after a 401 response. */
  readonly hint?: string;
  /** For a login that can expire: what the user can do after a 401 response. */
  readonly expiredHint?: string | undefined;
}

/** No credentials: requests carry no Authorization header. */
export const ANONYMOUS: Credentials = { scheme: 'anonymous', authorization: async () => undefined };
