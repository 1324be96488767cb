/** Converts ids and image sizes in a response to numbers, as some deployments send them (FIELD-NOTES.md "Answers"). */
import { isJsonResponse, jsonResponse, type RouteResponse } from '../../local/response.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import type { ResolvedOptions } from '../options.js';

const IDS = /^(opac\w+Id|relatedRecordId|imageId|highlightId|commentId|authorityTermId)$/;
const SIZES = /^(width|height)$/;

export function convertTypes({ idType, sizeType }: ResolvedOptions, response: RouteResponse): RouteResponse {
  if (idType === 'string' && sizeType === 'string') return response;
  if (!isJsonResponse(response)) return response;
  const body: unknown = parseJsonLossless(response.body.toString(), (key, value: unknown) => {
    const converts = (idType === 'number' && IDS.test(key)) || (sizeType === 'number' && SIZES.test(key));
    return converts && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  });
  return jsonResponse(body, response.status);
}
