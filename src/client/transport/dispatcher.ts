/** Creates connections with undici. Only this folder uses types of undici, because users of the library do not have them. */
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { MAX_TIMER_MS } from '../../system/clock.js';
import { ProxyError } from '../errors/network-error.js';
import type { ProxySettings } from './proxy.js';
import { createTimeoutError } from './send-request.js';

interface Limits {
  /** Milliseconds to connect. */
  readonly timeout: number;
  /** Null for no limit. */
  readonly connections: number | null;
  /** Aborts connections that are still opening. Without this signal, undici would wait for their timeout. */
  readonly closing: AbortSignal;
  /** Not used for connections through the proxy. */
  readonly lookup: LookupFunction | undefined;
}

/** Connections through a proxy can throw a ProxyError. */
export async function createDispatcher(
  { timeout, connections, closing, lookup }: Limits,
  proxy: ProxySettings | undefined,
): Promise<Dispatcher> {
  // Node accepts a signal for a socket (net, "new net.Socket"), and undici passes unknown options to Node.
  const limits = { timeout, signal: closing };
  const connect = { ...limits, lookup };
  if (!proxy) {
    const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
    return new Agent({ connections, connect });
  }
  // In a bundle, a CommonJS package has only a default export.
  const {
    default: { EnvHttpProxyAgent, Pool: ConnectionPool },
  } = await import('undici');

  const proxyOrigin = new URL(proxy.url).origin;
  const tls = { proxyTls: limits, requestTls: limits };
  return new EnvHttpProxyAgent({
    httpProxy: proxy.url,
    httpsProxy: proxy.url,
    noProxy: proxy.noProxy,
    ...tls,
    connect,
    connections,
    // Requests over plain http use no tunnel, because a proxy usually allows CONNECT only to port 443.
    proxyTunnel: false,
    clientFactory: (origin, options: { connect?: buildConnector.connector }) => {
      const { connect } = options;
      const pool = new ConnectionPool(
        origin,
        connect ? { ...options, connect: withoutServerName(connect) } : options,
      );
      return withTunnelTimeout(pool, timeout, proxy);
    },
    factory: (origin, options: { connect?: buildConnector.connector }) => {
      const { connect } = options;
      const isProxy = new URL(origin).origin === proxyOrigin;
      return new ConnectionPool(
        origin,
        isProxy && connect ? { ...options, connect: withProxyErrors(connect, proxy) } : options,
      );
    },
  });
}

/** Omits the server name if it is an IP address: RFC 6066 section 3 forbids such a name, and Node 26 refuses it. */
function withoutServerName(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) => {
    const isAddress = isIP(options.servername?.replace(/^\[|\]$/g, '') ?? '') > 0;
    return connect(isAddress ? { ...options, servername: '' } : options, callback);
  };
}

function withProxyErrors(connect: buildConnector.connector, proxy: ProxySettings): buildConnector.connector {
  return (options, callback) =>
    connect(options, (error, socket) =>
      error ? callback(new ProxyError(proxy, error), null) : callback(null, socket),
    );
}

/** undici does not limit the time to open a tunnel, and retries without end if the proxy closes the connection. */
function withTunnelTimeout(pool: Pool, timeout: number, proxy: ProxySettings): Dispatcher {
  const open = pool.connect.bind(pool) as (options: object) => Promise<Dispatcher.ConnectData>;
  return Object.assign(pool, {
    async connect(options: object) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(createTimeoutError(false)), Math.min(timeout, MAX_TIMER_MS));
      try {
        return await open({ ...options, signal: late.signal });
      } catch (cause) {
        throw new ProxyError(proxy, cause);
      } finally {
        clearTimeout(timer);
      }
    },
  });
}
