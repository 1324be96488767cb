/** The source of the Authorization header. `src/auth` implements it. */

export interface Credentials {
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  /** The header, `Bearer …` or `Basic …`; undefined to send none. */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  /** Called after a 401 to `rejected`. Returns a value that another process has saved meanwhile, or undefined. */
  readonly reload?: (rejected: string) => Promise<string | undefined>;
  /** Called after a 401 to `rejected`. Returns a new value that no other process has, or undefined if it cannot get one. */
  readonly renew?: (rejected: string) => Promise<string | undefined>;
  /** Called when the service accepts a renewed value for the first time. Other processes may use it from now on. */
  readonly accepted?: (value: string) => Promise<void>;
  readonly hint?: string;
}

/** No credentials: requests carry no Authorization header. */
export const ANONYMOUS: Credentials = { scheme: 'anonymous', authorization: async () => undefined };
