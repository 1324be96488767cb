/** Recognizes responses from web firewalls, and responses that are web pages. */
import type { HttpResponse } from '../http-request.js';

/** Returns true for a response from a web firewall (FIELD-NOTES.md "Errors"). */
export function isFirewallResponse(response: HttpResponse): boolean {
  if (response.headers['x-amzn-waf-action'] !== undefined) return true;
  return (response.status === 202 || response.status === 403) && isHtmlResponse(response);
}

export function isHtmlResponse({ headers, bytes }: HttpResponse): boolean {
  return /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*</.test(bytes.toString('utf8', 0, 64));
}
