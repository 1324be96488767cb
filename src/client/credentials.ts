/** Where the Authorization header comes from. `auth` implements it. */

export interface Credentials {
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  /** The header, `Bearer …` or `Basic …`; undefined to send none. */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  /** After a 401 to `rejected`: a value that another process has obtained meanwhile, or undefined. */
  readonly reload?: (rejected: string) => Promise<string | undefined>;
  /** After a 401 to `rejected`: a new value that nobody else knows, or undefined where none can be obtained. */
  readonly renew?: (rejected: string) => Promise<string | undefined>;
  /** The service accepted a renewed value for the first time, so it can be shared. */
  readonly accepted?: (value: string) => Promise<void>;
  readonly hint?: string;
}

/** No credentials: requests carry no Authorization header. */
export const ANONYMOUS: Credentials = { scheme: 'anonymous', authorization: async () => undefined };
