/** Where the Authorization header comes from. `auth` implements it; the client only asks. */

export interface Credentials {
  /** `bearer`, `basic` or `anonymous`; basic answers are slower by the document's word. */
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  /** The value of the Authorization header (`Bearer …`, `Basic …`), or undefined to send none. */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Called when the service answered 401 to `rejected`. Gives a new value to try once, or undefined when there is none.
   * Calls for the same rejected value share one renewal.
   */
  renew?(rejected: string, signal?: AbortSignal): Promise<string | undefined>;
  /** What the person can do when these credentials are missing or rejected. */
  readonly hint?: string;
}

export const ANONYMOUS: Credentials = { scheme: 'anonymous', authorization: async () => undefined };
