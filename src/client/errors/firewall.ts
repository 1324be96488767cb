/** Tells web firewalls and other web pages from the service's own responses. */
import type { Answer } from '../exchange.js';

/** A challenge or a block of a web firewall: an `x-amzn-waf-action` header, or 202 or 403 with a web page (FIELD-NOTES.md "Errors"). */
export function isFirewall(answer: Answer): boolean {
  if (answer.headers['x-amzn-waf-action'] !== undefined) return true;
  return (answer.status === 202 || answer.status === 403) && isWebPage(answer);
}

export function isWebPage({ headers, bytes }: Answer): boolean {
  return /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*</.test(bytes.toString('utf8', 0, 64));
}
