/** Tells web firewalls and other web pages from the service's own responses. */
import type { HttpResponse } from '../http-request.js';

/** A challenge or a block of a web firewall: an `x-amzn-waf-action` header, or 202 or 403 with a web page (FIELD-NOTES.md "Errors"). */
export function isFirewallResponse(response: HttpResponse): boolean {
  if (response.headers['x-amzn-waf-action'] !== undefined) return true;
  return (response.status === 202 || response.status === 403) && isHtmlResponse(response);
}

export function isHtmlResponse({ headers, bytes }: HttpResponse): boolean {
  return /\bhtml\b/i.test(headers['content-type'] ?? '') || /^\s*</.test(bytes.toString('utf8', 0, 64));
}
