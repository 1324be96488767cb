/** Connections of undici. A file of its own: its types need undici, which users of the library do not have. */
import type { Dispatcher } from 'undici';
import type { Proxies } from './proxy.js';

/** Milliseconds for `timeout`; `connections` null for no limit. Loads undici. */
export async function createDispatcher(
  { timeout, connections }: { readonly timeout: number; readonly connections: number | null },
  proxies: Proxies | undefined,
): Promise<Dispatcher> {
  if (!proxies) {
    const { default: Agent } = await import('undici/lib/dispatcher/agent.js');
    return new Agent({ connections, connect: { timeout } });
  }
  // A CommonJS package has only its default export in a bundle.
  const {
    default: { EnvHttpProxyAgent },
  } = await import('undici');
  // No tunnel for http: a proxy usually allows CONNECT to port 443 only.
  const tls = { proxyTls: { timeout }, requestTls: { timeout } };
  return new EnvHttpProxyAgent({ ...proxies, ...tls, connections, proxyTunnel: false });
}
