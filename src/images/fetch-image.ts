/** Downloads one image and checks that it is complete. */
import type { Client } from '../client/client.js';
import { HttpError } from '../client/errors/http-error.js';
import type { HttpResponse } from '../client/http-request.js';
import { type DeclaredSize, type ImageFacts, inspectImage } from './inspect-image.js';

export interface FetchedImage extends ImageFacts, HttpResponse {}

export interface ImageLimits {
  /** The width and height in the record. If given, the image must have this size (inspect-image.ts). */
  readonly declared?: DeclaredSize | undefined;
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Accepts any response, because opac checks the bytes and not the Content-Type. */
const ACCEPT = 'image/*, */*;q=0.1';

/** If the image is incomplete, requests it again. If the response is not a usable image, throws an HttpError. */
export async function fetchImage(
  client: Pick<Client, 'fetchFile'>,
  url: string,
  { declared, maxBytes, signal }: ImageLimits,
): Promise<FetchedImage> {
  const { value, ...response } = await client.fetchFile(url, {
    accept: ACCEPT,
    maxBytes,
    signal,
    decode: (response, request) => {
      // A 206 is wrong, because the request did not have a Range header (RFC 9110 section 15.3.7).
      const part = { fault: 'the server sent only a part of the image (206)', isBroken: true };
      const checked = response.status === 206 ? part : inspectImage(response.bytes, declared);
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
  if (!value) throw new TypeError('the image was not decoded');
  return { ...response, ...value };
}
