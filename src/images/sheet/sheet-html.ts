/** Renders the page around the images, with styles for screen and print, and with a search field. */
import { createHash } from 'node:crypto';
import { escapeHtml, HTML_END, htmlStart } from '../../system/html.js';

const STYLE = `
header{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.4rem 1rem;align-items:baseline;padding:.8rem 1rem;background:var(--ground);border-bottom:1px solid var(--line)}
h1{margin:0;font-size:1.15rem}
h2{margin:1.4rem 1rem .2rem;font-size:1rem}
h2 small,#count{color:var(--quiet);font-weight:normal}
input{flex:1 1 12rem;max-width:24rem;margin-left:auto;padding:.45rem .6rem;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.4rem}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(160px,1fr));gap:.8rem;padding:.8rem 1rem}
figure{margin:0;display:flex;flex-direction:column;background:var(--card);border:1px solid var(--line);border-radius:.4rem;overflow:hidden;content-visibility:auto;contain-intrinsic-size:auto 250px}
.picture{display:flex;align-items:center;justify-content:center;height:170px;padding:8px}
img{max-width:100%;max-height:100%;width:auto;height:auto;object-fit:contain}
.missing{color:var(--quiet);font-size:.8rem;text-align:center;overflow-wrap:anywhere}
figcaption{display:flex;flex-direction:column;gap:.15rem;padding:.5rem .6rem .6rem;font-size:.85rem;overflow-wrap:anywhere}
.title,.caption{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.caption{color:var(--quiet)}
a{color:var(--link)}
.swatches{display:flex;gap:3px;margin-top:.3rem}
.swatches i{width:1.1rem;height:.7rem;border:1px solid var(--line);border-radius:2px;print-color-adjust:exact;-webkit-print-color-adjust:exact}
[hidden]{display:none!important}
@media (max-width:480px){.grid{grid-template-columns:repeat(2,1fr);gap:.5rem;padding:.5rem}input{flex-basis:100%;margin:0;max-width:none}.picture{height:150px}}
@media print{:root{--text:#000;--quiet:#444;--ground:#fff;--card:#fff;--line:#bbb;--link:#000}header{position:static;padding:0 0 .5rem}input{display:none}.grid{grid-template-columns:repeat(4,1fr);padding:0}figure{content-visibility:visible;break-inside:avoid}figcaption{font-size:9pt}.picture{height:112px}h2{break-after:avoid;margin-left:0}a{text-decoration:none}@page{margin:12mm}}
`;

const SCRIPT = `
const plain = (text) => text.replace(/(\\p{M}{30})\\p{M}+/gu, '$1').normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase();
const figures = [...document.querySelectorAll('figure')].map((element) => [element, plain(element.dataset.text)]);
const count = document.getElementById('count');
const all = count.textContent;
document.querySelector('input').addEventListener('input', ({ target }) => {
  const words = plain(target.value).split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const [element, text] of figures) {
    element.hidden = !words.every((word) => text.includes(word));
    if (!element.hidden) shown++;
  }
  for (const section of document.querySelectorAll('section'))
    section.hidden = !section.querySelector('figure:not([hidden])');
  count.textContent = words.length ? shown + ' of ' + all : all;
});
`;

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export function renderPageStart(title: string, images: number, link: boolean): string {
  // The Content Security Policy allows only the script SCRIPT, and lets the page load only images.
  const allows = `img-src ${link ? 'https: http:' : 'data:'}; script-src ${hashSource(SCRIPT)}`;
  return `${htmlStart({ title, style: STYLE, allows })}<header><h1>${escapeHtml(title)}</h1><span id="count">${images} ${images === 1 ? 'image' : 'images'}</span><input type="search" placeholder="Search" aria-label="Search the images"/></header>
<main>
`;
}

export const PAGE_END = `</main>\n<script>${SCRIPT}</script>\n${HTML_END}`;
