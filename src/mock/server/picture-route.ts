/** Serves the pictures of the images, outside the interface and without Authorization, as deployments do. */

import { type Answer, refuse } from '../answer.js';
import { IMAGE_PATH } from '../data/images.js';
import { picture, pngOf } from '../images/picture.js';
import type { Store } from '../store.js';

const PATH = new RegExp(`^${IMAGE_PATH}/(\\w+)/\\d+/(\\d+)\\.png$`);

/** The picture that a path names, 404 or 405 for any other path below the pictures, undefined for a path elsewhere. */
export function pictureRoute(method: string | undefined, path: string, holdings: Store): Answer | undefined {
  if (!path.startsWith(`${IMAGE_PATH}/`)) return undefined;
  if (method !== 'GET') return refuse(405, `Method ${method} is not allowed`).answer;
  const [, derivative = '', imageId = ''] = PATH.exec(path) ?? [];
  const body = holdings.pictures.has(imageId)
    ? pngOf(picture(Number(imageId)), derivative.toUpperCase())
    : undefined;
  if (!body) return refuse(404, `No such image : ${path}`).answer;
  return { status: 200, headers: { 'content-type': 'image/png' }, body };
}
