/** The types that differ between deployments (FIELD-NOTES.md "Answers"): ids and sizes of images as numbers. */

import type { Settings } from '../options.js';
import { jsonTextResponse, type RouteResponse } from '../response.js';

const IDS = /^(opac\w+Id|relatedRecordId|imageId|highlightId|commentId|authorityTermId)$/;
const SIZES = /^(width|height)$/;

/** The answer in the types that the settings ask for. */
export function convertTypes({ idType, sizeType }: Settings, answer: RouteResponse): RouteResponse {
  if (idType === 'string' && sizeType === 'string') return answer;
  if (!answer.headers['content-type']?.startsWith('application/json')) return answer;
  const body: unknown = JSON.parse(answer.body.toString(), (key, value: unknown) => {
    const wanted = (idType === 'number' && IDS.test(key)) || (sizeType === 'number' && SIZES.test(key));
    return wanted && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  });
  return jsonTextResponse(JSON.stringify(body), answer.status);
}
