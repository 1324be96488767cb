/** The JSON file next to an image: a row of the index, the record, and a digest that shows if somebody edited the file. */
import { createHash } from 'node:crypto';
import { asObject } from '../../service/json.js';
import { tryParseJson } from '../../service/parse-json.js';

export function formatSidecar(content: object): string {
  return `${JSON.stringify({ ...content, digest: computeDigest(JSON.stringify(content)) }, null, 2)}\n`;
}

/** Whether the text is a sidecar of an image with this hash, exactly as opac wrote it. */
export function isUnchangedSidecar(text: string, sha256: string): boolean {
  const parsed = asObject(tryParseJson(text));
  const { digest, ...content } = parsed;
  if (content.sha256 !== sha256 || `${JSON.stringify(parsed, null, 2)}\n` !== text) return false;
  return digest === computeDigest(JSON.stringify(content));
}

/** Parses the JSON first, because parsing may change the form of numbers and the order of keys. */
function computeDigest(json: string): string {
  return createHash('sha256')
    .update(JSON.stringify(tryParseJson(json)))
    .digest('hex');
}
