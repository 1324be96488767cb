/** The options of the mock server (a museum), with units and defaults. */
import type { Fault } from './faults/fault.js';
import type { StoreOptions } from './store.js';

/** The options of `startMuseum`. */
export interface MuseumOptions extends StoreOptions {
  /** The address or host name to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** The start of the image URLs in built-in and generated records, without a slash at its end. Default: the museum's URL. */
  readonly imageBaseUrl?: string;

  /**
   * Host names that the Host header may contain, in addition to `host`, `localhost` and IP addresses. The museum responds to
   * other names with 421, because a web page could make its own host name resolve to the museum (DNS rebinding).
   */
  readonly allowHosts?: readonly string[];

  /** `authorized`: requests to the API need an access token or the basic key. `anonymous` (default): they need neither. */
  readonly access?: 'anonymous' | 'authorized';
  readonly basicKey?: string;
  readonly oauth?: OAuthOptions;

  /** Milliseconds that the museum waits before each response. Default 0. */
  readonly latency?: number;
  /** Maximum number of records in a page. The museum silently lowers a higher `limit`. Default 100. */
  readonly maxPageSize?: number;
  /** Compresses responses if the client accepts gzip. Default false. */
  readonly gzip?: boolean;
  /**
   * If true, the records of a search without `view` contain only their id, and in `/opacrecords` also `recordType`. If false, the
   * records are complete. Default true.
   */
  readonly hasStubs?: boolean;
  /** Whether ids in responses are strings (default) or numbers. */
  readonly idType?: 'string' | 'number';
  /** Whether widths and heights of images are strings (default) or numbers. */
  readonly sizeType?: 'string' | 'number';

  readonly faults?: readonly Fault[];
}

/** A client that may log in. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectURIs: readonly string[];
}

/** How a client computes the PKCE code challenge: S256 with padding, S256 as in RFC 7636, or the unchanged verifier (PLAIN). */
export type ChallengeForm = 'S256-padded' | 'S256' | 'PLAIN';

/** The clients that may log in, and the lifetimes of codes and tokens. */
export interface OAuthOptions {
  readonly clients?: readonly [OAuthClient, ...OAuthClient[]];
  readonly challengeForms?: readonly ChallengeForm[];
  /** Seconds until an authorization code expires. Default 30. With 0, a code has expired before a client can use it. */
  readonly codeLifetime?: number;
  /** Seconds until an access token expires. Default 3600. */
  readonly tokenLifetime?: number;
  /** Number of requests for which an access token is valid. Default: unlimited. */
  readonly tokenUses?: number;
  /** Responds to a valid authorization request with a page that contains a link, instead of with a redirect. Default false. */
  readonly signInPage?: boolean;
}

export type OAuthSettings = Required<OAuthOptions>;

export interface ResolvedOptions
  extends Required<Omit<MuseumOptions, keyof StoreOptions | 'imageBaseUrl' | 'oauth'>>,
    Pick<MuseumOptions, keyof StoreOptions | 'imageBaseUrl'> {
  readonly oauth: OAuthSettings;
}

const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  allowHosts: [],
  access: 'anonymous',
  basicKey: 'bXVzZXVtLWJhc2ljLWtleQ',
  latency: 0,
  maxPageSize: 100,
  gzip: false,
  hasStubs: true,
  idType: 'string',
  sizeType: 'string',
  faults: [],
} as const satisfies MuseumOptions;

const OAUTH_DEFAULTS: OAuthSettings = {
  clients: [
    {
      clientId: 'museum-client',
      clientSecret: 'museum-client-secret',
      redirectURIs: ['http://127.0.0.1:8765/callback'],
    },
  ],
  challengeForms: ['S256-padded', 'S256', 'PLAIN'],
  codeLifetime: 30,
  tokenLifetime: 3600,
  tokenUses: Number.POSITIVE_INFINITY,
  signInPage: false,
};

export function resolveOptions(options: MuseumOptions): ResolvedOptions {
  return { ...DEFAULTS, ...options, oauth: { ...OAUTH_DEFAULTS, ...options.oauth } };
}
