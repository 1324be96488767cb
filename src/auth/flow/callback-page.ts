/** The pages that the browser shows: self-contained, and without anything that was sent. */

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

export const PAGES = {
  accepted: {
    status: 200,
    body: page('You can close this window', 'The login continues in the terminal where you started it.'),
  },
  refused: {
    status: 400,
    body: page(
      'The login was refused',
      'The terminal where you started it shows the reason. You can close this window.',
    ),
  },
  'state-mismatch': {
    status: 400,
    body: page(
      'This callback belongs to another login',
      'It was discarded. Continue in the window that opac opened, or start again in the terminal.',
    ),
  },
  incomplete: {
    status: 400,
    body: page('The address is incomplete', 'It has no code or no state. Start again in the terminal.'),
  },
  'not-found': { status: 404, body: page('Not found', 'Only the callback of a login is served here.') },
  'not-allowed': { status: 405, body: page('Method not allowed', 'Only GET is supported.') },
  misdirected: {
    status: 421,
    body: page('Misdirected request', 'Only the registered address is served here.'),
  },
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
