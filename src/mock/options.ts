/** The options of a museum, its unit and its default. */
import type { Fault } from './faults/fault.js';
import type { StoreOptions } from './store.js';

/** How a museum is started; all have defaults. */
export interface MuseumOptions extends StoreOptions {
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** What URLs of pictures begin with. Default: its own address. */
  readonly imageBaseUrl?: string;

  /**
   * Other names that requests may address it by, such as that of a container. A page of the web must not reach it under a name
   * of its own (DNS rebinding): any other name than `host` and `localhost` is refused with 421; addresses are not names.
   */
  readonly allowHosts?: readonly string[];

  /** `authorized` answers 401 without a token of its own or the basic key; `anonymous` (default) does not look. */
  readonly access?: 'anonymous' | 'authorized';
  readonly basicKey?: string;
  readonly oauth?: OAuthOptions;

  /** Milliseconds before each response. Default 0. */
  readonly latency?: number;
  /** The most records in a page; a higher `limit` is silently lowered to it. Default 100. */
  readonly maxPageSize?: number;
  /** Compresses when the client accepts gzip. Default false. */
  readonly gzip?: boolean;
  /** A list without `view` holds bare ids. Default true; false gives whole records. */
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

/** How a code challenge is derived from its verifier: S256 with the padding kept, as RFC 7636 has it, or not at all. */
export type ChallengeForm = 'S256-padded' | 'S256' | 'PLAIN';

/** Which clients may log in, and how long codes and tokens live. */
export interface OAuthOptions {
  readonly clients?: readonly [OAuthClient, ...OAuthClient[]];
  readonly challengeForms?: readonly ChallengeForm[];
  /** Seconds an authorization code lives. Default 30; 0: it has expired when it arrives. */
  readonly codeLifetime?: number;
  /** Seconds a token lives. Default 3600. */
  readonly tokenLifetime?: number;
  /** Requests a token is valid for. Default: any number. */
  readonly tokenUses?: number;
  /** Shows a page with a link to go on in place of the redirect. Default false. */
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
