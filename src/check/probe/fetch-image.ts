/** Fetches the start of a picture, from wherever the deployment says it lies: without credentials, and never more than is needed. */

import { HttpError } from '../../client/errors/http-error.js';
import type { Request } from '../../client/exchange.js';
import { leadsToUs } from '../../client/own-address.js';
import type { Environment } from '../../client/wire/proxy.js';
import { createTransport } from '../../client/wire/transport.js';
import type { FetchImage, ImageStart } from './probe.js';

/** Bytes that hold the size of any picture, its metadata before it. */
const ENOUGH = 128 * 1024;

export interface ImageOptions {
  readonly baseUrl: string;
  /** Seconds. */
  readonly timeout: number;
  readonly environment: Environment;
}

/** A way to fetch pictures. It takes http and https alone, follows no redirect, and reads the first 128 kB. */
export function imageFetcher({ baseUrl, timeout, environment }: ImageOptions): FetchImage {
  return async (address, signal): Promise<ImageStart> => {
    const request: Request = {
      method: 'GET',
      path: address,
      url: address,
      headers: { accept: 'image/*', 'accept-encoding': 'identity', range: `bytes=0-${ENOUGH - 1}` },
      redirect: 'manual',
      enough: ENOUGH,
    };
    const refused = (message: string) =>
      new HttpError({ kind: 'deployment', request, message, response: { status: 0 } });
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) throw refused('the image has no web address');
    // What is there would stand in the report.
    if (leadsToUs(url, baseUrl)) throw refused('the image is on this machine, and the deployment is not');
    const { origin } = url;
    const transport = createTransport({ baseUrl: origin, timeout, environment, connections: 1 });
    try {
      const { status, headers, bytes } = await transport.send({ ...request, signal });
      return { status, type: headers['content-type'] ?? '', bytes };
    } finally {
      await transport.close();
    }
  };
}
