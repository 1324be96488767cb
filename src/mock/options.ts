/** The options of a museum, with units and defaults. */
import type { Fault } from './faults/fault.js';
import type { StoreOptions } from './store.js';

/** All options have defaults. */
export interface MuseumOptions extends StoreOptions {
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** The first part of image URLs. Default: the URL of the museum. */
  readonly imageBaseUrl?: string;

  /**
   * Other host names that requests may use, such as that of a container, besides `host`, `localhost` and IP addresses. A web
   * page could use its own name for the museum (DNS rebinding), so the museum responds with a 421 to other names.
   */
  readonly allowHosts?: readonly string[];

  /** `authorized` responds 401 without a token of this museum or the basic key; `anonymous` (default) ignores credentials. */
  readonly access?: 'anonymous' | 'authorized';
  readonly basicKey?: string;
  readonly oauth?: OAuthOptions;

  /** Milliseconds before each response. Default 0. */
  readonly latency?: number;
  /** Maximum page size. A higher `limit` is silently lowered. Default 100. */
  readonly maxPageSize?: number;
  /** Compresses responses if the client accepts gzip. Default false. */
  readonly gzip?: boolean;
  /** Records in a list without `view` contain only the id. Default true. */
  readonly hasStubs?: boolean;
  readonly idType?: 'string' | 'number';
  /** Widths and heights of images as strings (default) or as numbers. */
  readonly sizeType?: 'string' | 'number';

  readonly faults?: readonly Fault[];
}

/** A client that may log in. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectURIs: readonly string[];
}

/** How the code challenge is computed: S256 with padding, S256 as in RFC 7636, or unchanged (PLAIN). */
export type ChallengeForm = 'S256-padded' | 'S256' | 'PLAIN';

/** The clients that may log in, and the lifetimes of codes and tokens. */
export interface OAuthOptions {
  readonly clients?: readonly [OAuthClient, ...OAuthClient[]];
  readonly challengeForms?: readonly ChallengeForm[];
  /** Seconds until an authorization code expires. Default 30. With 0, the client cannot use it. */
  readonly codeLifetime?: number;
  /** Seconds. Default 3600. */
  readonly tokenLifetime?: number;
  /** A token is valid for this number of requests. Default: unlimited. */
  readonly tokenUses?: number;
  /** Shows a page with a link instead of redirecting. Default false. */
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
