/** The pages that the browser shows at the redirect URI. They load no other files, and contain no text from the request. */
import { HTML_END, htmlStart } from '../../system/html.js';

const createPage = (status: number, title: string, text: string) => ({
  status,
  body: `${htmlStart({ title: `${title} - opac`, style: '' })}<main class="report">
<h1>${title}</h1>
<p>${text}</p>
</main>
${HTML_END}`,
});

export const PAGES = {
  accepted: createPage(
    200,
    'You can close this window',
    'The login continues in the terminal where you started it.',
  ),
  refused: createPage(
    400,
    'The login was refused',
    'The terminal where you started it shows the reason. You can close this window.',
  ),
  'state-mismatch': createPage(
    400,
    'This callback belongs to another login',
    'opac ignored it. Continue in the window that opac opened, or start again in the terminal.',
  ),
  incomplete: createPage(
    400,
    'The URL is incomplete',
    'The code or the state is missing. Start again in the terminal.',
  ),
  'not-found': createPage(404, 'Not found', 'This server accepts only the callback of a login.'),
  'not-allowed': createPage(405, 'Method not allowed', 'This server supports only GET.'),
  misdirected: createPage(
    421,
    'Misdirected request',
    'This server accepts only requests with the registered host name.',
  ),
} as const;

export type Page = keyof typeof PAGES;

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const;
