/** The types that differ between deployments (FIELD-NOTES.md "Answers"): ids and sizes of images as numbers. */

import { type Answer, jsonText } from '../answer.js';
import type { Settings } from '../options.js';

const IDS = /^(opac\w+Id|relatedRecordId|imageId|highlightId|commentId|authorityTermId)$/;
const SIZES = /^(width|height)$/;

/** The answer in the types that the settings ask for. */
export function inTypesOf({ idType, sizeType }: Settings, answer: Answer): Answer {
  if (idType === 'string' && sizeType === 'string') return answer;
  if (!answer.headers['content-type']?.startsWith('application/json')) return answer;
  const body: unknown = JSON.parse(answer.body.toString(), (key, value: unknown) => {
    const wanted = (idType === 'number' && IDS.test(key)) || (sizeType === 'number' && SIZES.test(key));
    return wanted && typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  });
  return jsonText(JSON.stringify(body), answer.status);
}
