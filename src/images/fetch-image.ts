/** Fetches one image and proves it to be one. */
import type { Client } from '../client/client.js';
import { HttpError } from '../client/errors/http-error.js';
import type { HttpResponse } from '../client/http-request.js';
import { type DeclaredSize, type ImageFacts, inspectImage } from './inspect-image.js';

/** The last response, with what its bytes say. */
export interface FetchedImage extends ImageFacts, HttpResponse {}

export interface ImageLimits {
  readonly stated?: DeclaredSize | undefined;
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Prefers images; a server without any may still send what it has. */
const ACCEPT = 'image/*, */*;q=0.1';

/** Retries an image that was cut short. Throws an HttpError that says what came instead of an image. */
export async function fetchImage(
  client: Pick<Client, 'fetchFile'>,
  url: string,
  { stated, maxBytes, signal }: ImageLimits,
): Promise<FetchedImage> {
  const { value, ...response } = await client.fetchFile(url, {
    accept: ACCEPT,
    maxBytes: maxBytes,
    signal,
    decode: (response, request) => {
      // Nobody asked for a part (RFC 9110 section 15.3.7).
      const part = { fault: 'the server sent only a part of it (206)', isBroken: true };
      const checked = response.status === 206 ? part : inspectImage(response.bytes, stated);
      if (!('fault' in checked)) return checked;
      throw new HttpError({
        kind: 'deployment',
        request,
        response,
        message: checked.fault,
        retry: checked.isBroken ? 'always' : 'never',
      });
    },
  });
  if (!value) throw new TypeError('an image is decoded when it is there');
  return { ...response, ...value };
}
