/** The start, end and style of the HTML pages that opac writes. A page loads no other files, unless `allows` permits this. */

const STYLE = `
:root{color-scheme:light dark;--text:#1b1f24;--quiet:#5b6470;--ground:#fff;--card:#f5f6f8;--line:#d8dce2;--bad:#b42318;--warn:#8a5a00;--good:#12662c;--link:#0b57a4}
@media(prefers-color-scheme:dark){:root{--text:#e6e9ee;--quiet:#9aa4b2;--ground:#14171c;--card:#1d2229;--line:#343b46;--bad:#ff9d90;--warn:#f0b849;--good:#7fe0a0;--link:#8cc0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif}
.report{max-width:70rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.4rem;margin:0}
h2{font-size:1.15rem;margin:2.5rem 0 .75rem}
h3{font-size:1rem;margin:0}
h1,h3,p,dd,dt{overflow-wrap:anywhere}
article{background:var(--card);border-left:4px solid var(--line);border-radius:.25rem;padding:1rem;margin:0 0 1rem}
small,.quiet{color:var(--quiet);font-size:.875rem}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th{text-align:left;color:var(--quiet);font-weight:500}
th,td{padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.id{font-family:ui-monospace,monospace;font-size:.8rem}
dl{display:grid;grid-template-columns:fit-content(16rem) minmax(0,1fr);gap:.2rem .75rem;margin:.75rem 0 .25rem}
dt{color:var(--quiet)}
dd,dd p{margin:0;white-space:pre-wrap}
@media(max-width:40rem){dl{grid-template-columns:1fr}dt{margin-top:.35rem}td{overflow-wrap:anywhere}}
@media print{article{break-inside:avoid;background:none}}
`;

export interface HtmlPage {
  readonly title: string;
  readonly style: string;
  /** More directives for the Content-Security-Policy, such as `img-src data:`. */
  readonly allows?: string;
}

/** Returns the part of a page before its content. HTML_END follows the content. The page is well-formed XML, for XML tools. */
export function htmlStart({ title, style, allows = '' }: HtmlPage): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; ${allows}`;
  return `<!DOCTYPE html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="referrer" content="no-referrer"/>
<meta http-equiv="Content-Security-Policy" content="${policy.trim()}"/>
<title>${escapeHtml(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
`;
}

export const HTML_END = '</body>\n</html>\n';

/** Also replaces characters that XML forbids (XML 1.0, section 2.2), and removes other control and direction characters. */
export function escapeHtml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject of this expression
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/gu, '\ufffd')
      .replace(/[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
      // If the page is in the log of a CI system, text after a line break could be a command.
      .replaceAll('\r', '&#13;')
      .replaceAll('\n', '&#10;')
  );
}
