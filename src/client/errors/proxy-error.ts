/** What kept a connection from a proxy, or a tunnel through it; the cause tells. */
export class ProxyError extends Error {
  /** The variable that names the proxy. */
  readonly variable: string;
  readonly url: URL;

  constructor({ variable, url }: { readonly variable: string; readonly url: string }, cause: unknown) {
    super('no connection through the proxy', { cause });
    this.name = 'ProxyError';
    this.variable = variable;
    this.url = new URL(url);
  }
}
