/** What differs between two exports though nobody edited anything; left out unless asked for. */
import { asText, type Json } from '../service/json.js';

export const NOISE = ['scores', 'key-order', 'derivative-order', 'types', 'urls'] as const;
export type Noise = (typeof NOISE)[number];

/** Parameters that only defeat caches, or sign an address for a while. */
const PASSING_PARAMETER =
  /^(?:_|v|ver|version|rev|t|ts|time|timestamp|cb|cache|cachebuster|nocache|rnd|rand|random|hash|modified|lastmodified|updated|expires|signature|sig|policy|key-pair-id|token|x-amz-.*|x-goog-.*)$|^\d+$/i;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The address of an image without what passes; other text as it is. The port of this machine passes too: `opac mock` gets another each time. */
export function lastingUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  const kept = [...url.searchParams].filter(([name]) => !PASSING_PARAMETER.test(name));
  url.search = new URLSearchParams(kept).toString();
  url.hash = '';
  if (LOOPBACK.test(url.hostname)) url.port = '';
  return url.href;
}

/** A value in one spelling; with `types` a number and the text of its digits differ. */
export function scalarText(value: Json | undefined, include: ReadonlySet<Noise>): string {
  const text = asText(value);
  const isMarked = include.has('types') && (typeof value === 'number' || typeof value === 'boolean');
  return isMarked ? `${text} (${typeof value})` : text;
}
