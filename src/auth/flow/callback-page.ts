/** The pages that the person sees in the browser: plain, whole in themselves, and without a word of what was sent. */

const page = (title: string, text: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} - opac</title>
<style>
:root { color-scheme: light dark }
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto; padding: 0 1rem }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;

/** By what happened: the status and the page. */
export const PAGES = {
  accepted: {
    status: 200,
    body: page('You can close this window', 'The login goes on in the terminal where you began it.'),
  },
  refused: {
    status: 400,
    body: page(
      'The login was refused',
      'The terminal where you began it says why. You can close this window.',
    ),
  },
  foreign: {
    status: 400,
    body: page(
      'This is not the login that was begun',
      'What came with this page was discarded. Go on in the window that opac opened, or begin again in the terminal.',
    ),
  },
  incomplete: {
    status: 400,
    body: page('Something is missing', 'The address has no code or no state. Begin again in the terminal.'),
  },
  'not-found': { status: 404, body: page('Nothing is here', 'Only the end of a login is served here.') },
  'not-allowed': { status: 405, body: page('Not this way', 'Only GET is answered here.') },
  misdirected: { status: 421, body: page('Not this host', 'Only the registered address is served here.') },
} as const;

export type Page = keyof typeof PAGES;

/** Nothing is loaded, run, framed, kept or passed on from these pages. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
} as const;
