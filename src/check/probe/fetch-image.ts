/** Fetches the start of a picture, from wherever the deployment says it lies: without credentials, and never more than is needed. */

import { HttpError } from '../../client/errors/http-error.js';
import { networkError } from '../../client/errors/network-faults.js';
import { createDispatcher } from '../../client/layers/dispatcher.js';
import type { Environment } from '../../client/layers/proxy.js';
import { proxiesFor } from '../../client/layers/proxy.js';
import { exchange } from '../../client/layers/wire.js';
import type { FetchImage, ImageStart } from './probe.js';

/** Bytes that hold the size of any picture, its metadata before it. */
const ENOUGH = 128 * 1024;

export interface ImageOptions {
  /** Seconds. */
  readonly timeout: number;
  readonly environment: Environment;
}

/** A way to fetch pictures. It takes http and https alone, follows no redirect, and reads the first 128 kB. */
export function imageFetcher({ timeout, environment }: ImageOptions): FetchImage {
  return async (address, signal): Promise<ImageStart> => {
    const request = { method: 'GET', path: address } as const;
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
      throw new HttpError({
        kind: 'deployment',
        request,
        message: 'the image has no web address',
        response: { status: 0 },
      });
    const url = new URL(address);
    const dispatcher = await createDispatcher(
      { timeout: timeout * 1000, connections: 1 },
      proxiesFor(url.origin, environment),
    );
    try {
      const headers = { accept: 'image/*', range: `bytes=0-${ENOUGH - 1}` };
      const response = await exchange(dispatcher, {
        url,
        method: 'GET',
        headers,
        timeout: timeout * 1000,
        signal,
        enough: ENOUGH,
      });
      return { status: response.status, type: response.headers['content-type'] ?? '', bytes: response.bytes };
    } catch (cause) {
      signal.throwIfAborted();
      throw networkError(request, cause, { origin: url.origin, host: url.host, timeout });
    } finally {
      await dispatcher.destroy();
    }
  };
}
