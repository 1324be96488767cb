/** Serves image files. Their paths are not below `/api/v3`, as in test/fixtures. Requests for images need no credentials. */
import { type RouteResponse, routeError } from '../../local/response.js';
import { IMAGE_PATH } from '../data/images.js';
import { createPattern, renderPng } from '../images/image-pattern.js';
import type { MuseumStore } from '../store.js';

/** `/records/images/large/20022/700010.png`: the derivative (size), the id of the record and the id of the image. */
const PATH = new RegExp(`^${IMAGE_PATH}/(\\w+)/\\d+/(\\d+)\\.png$`);

/** Returns undefined for a path that is not below IMAGE_PATH. */
export async function respondWithImage(
  method: string | undefined,
  path: string,
  store: MuseumStore,
): Promise<RouteResponse | undefined> {
  if (!path.startsWith(`${IMAGE_PATH}/`)) return undefined;
  if (method !== 'GET') return routeError(405, `Method ${method} is not allowed`).response;
  const [, derivative = '', imageId = ''] = PATH.exec(path) ?? [];
  const isDrawn = store.hasPictures && (await store.index()).imageIds.has(imageId);
  const body = isDrawn ? renderPng(createPattern(Number(imageId)), derivative.toUpperCase()) : undefined;
  if (!body) return routeError(404, `No such image : ${path}`).response;
  return { status: 200, headers: { 'content-type': 'image/png' }, body };
}
