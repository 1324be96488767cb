/** The pages that the browser shows: self-contained, and without anything that was sent. */
import { HTML_END, htmlStart } from '../../system/html.js';

const page = (status: number, title: string, text: string) => ({
  status,
  body: `${htmlStart({ title: `${title} - opac`, style: '' })}<main class="report">
<h1>${title}</h1>
<p>${text}</p>
</main>
${HTML_END}`,
});

export const PAGES = {
  accepted: page(
    200,
    'You can close this window',
    'The login continues in the terminal where you started it.',
  ),
  refused: page(
    400,
    'The login was refused',
    'The terminal where you started it shows the reason. You can close this window.',
  ),
  'state-mismatch': page(
    400,
    'This callback belongs to another login',
    'It was discarded. Continue in the window that opac opened, or start again in the terminal.',
  ),
  incomplete: page(
    400,
    'The address is incomplete',
    'It has no code or no state. Start again in the terminal.',
  ),
  'not-found': page(404, 'Not found', 'Only the callback of a login is served here.'),
  'not-allowed': page(405, 'Method not allowed', 'Only GET is supported.'),
  misdirected: page(421, 'Misdirected request', 'Only the registered address is served here.'),
} as const;

export type Page = keyof typeof PAGES;

/** The pages load, run, cache and pass on nothing, and cannot be framed. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const;
