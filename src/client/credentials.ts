/** Where the Authorization header comes from. `auth` implements it. */

export interface Credentials {
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  /** The value of the Authorization header (`Bearer …`, `Basic …`), or undefined to send none. */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  /** Called when the service answered 401 to `rejected`. Gives a new value, or undefined without one. */
  renew?(rejected: string, signal?: AbortSignal): Promise<string | undefined>;
  readonly hint?: string;
}

export const ANONYMOUS: Credentials = { scheme: 'anonymous', authorization: async () => undefined };
