/** The source of the Authorization header. `src/auth` implements it. */

export interface Credentials {
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  /** Returns the header, `Bearer …` or `Basic …`; undefined to send no header. */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  /** Called after a 401 for the header `rejected`. Returns a newer header that another process saved; otherwise undefined. */
  readonly reload?: (rejected: string) => Promise<string | undefined>;
  /** Called after a 401 for the header `rejected`. Gets a new token and returns its header; undefined if this is impossible. */
  readonly renew?: (rejected: string) => Promise<string | undefined>;
  /** Called when the service has accepted a reloaded or renewed header. Saves a renewed token for other processes. */
  readonly accepted?: (value: string) => Promise<void>;
  /** What the user can do after a 401 or 403 response. */
  readonly hint?: string;
  /** Replaces `hint` after a 401 response if the login can expire. */
  readonly expiredHint?: string | undefined;
}

/** For requests without an Authorization header. */
export const ANONYMOUS: Credentials = { scheme: 'anonymous', authorization: async () => undefined };
