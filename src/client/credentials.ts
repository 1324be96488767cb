/** Where the Authorization header comes from. `auth` implements it. */

export interface Credentials {
  readonly scheme: 'bearer' | 'basic' | 'anonymous';
  /** The header, `Bearer …` or `Basic …`; undefined to send none. */
  authorization(signal?: AbortSignal): Promise<string | undefined>;
  renew?(rejected: string, signal?: AbortSignal): Promise<string | undefined>;
  readonly hint?: string;
}

export const ANONYMOUS: Credentials = { scheme: 'anonymous', authorization: async () => undefined };
