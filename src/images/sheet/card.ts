/** One image of a contact sheet, as HTML. */

import type { Color } from '../../service/records/record.js';
import { escapeHtml } from '../../system/html.js';

export interface Card {
  readonly name: string;
  readonly title: string;
  readonly caption: string;
  readonly position: number;
  readonly recordType: string;
  readonly recordId: string;
  readonly imageId: string;
  readonly page: string | undefined;
  readonly thumbnail: string | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly largest: string | undefined;
  readonly colors: readonly Color[];
  readonly labels: readonly string[];
  readonly group: string;
}

export type Picture = { readonly source: string } | { readonly missing: string };

const MOST_COLORS = 6;

/** Escapes every text and links only to web addresses. */
export function cardHtml(card: Card, picture: Picture, lazily: boolean): string {
  const { name, title, caption, page, width, height, labels } = card;
  const heading = name === '' ? `${card.recordType} ${card.recordId}` : name;
  const alternative = caption || title || heading;
  const size = width && height ? ` width="${Math.round(width)}" height="${Math.round(height)}"` : '';
  const shown =
    'source' in picture
      ? `<img src="${escapeHtml(picture.source)}" alt="${escapeHtml(alternative)}"${size} decoding="async"${lazily ? ' loading="lazy"' : ''}>`
      : `<span class="missing">${escapeHtml(picture.missing)}</span>`;
  const largest = webAddress(card.largest);
  const found = [
    heading,
    title,
    caption,
    card.recordId,
    card.imageId,
    ...labels,
    ...card.colors.map((color) => color.name),
  ];
  return [
    `<figure data-text="${escapeHtml([...new Set(found)].join(' '))}">`,
    largest
      ? `<a class="picture" href="${escapeHtml(largest)}">${shown}</a>`
      : `<div class="picture">${shown}</div>`,
    '<figcaption>',
    linked(heading, webAddress(page)),
    title === '' || title === heading ? '' : `<span class="title">${escapeHtml(title)}</span>`,
    caption === '' || caption === title ? '' : `<span class="caption">${escapeHtml(caption)}</span>`,
    swatches(card.colors),
    '</figcaption></figure>\n',
  ].join('');
}

function linked(text: string, address: string | undefined): string {
  const name = `<b>${escapeHtml(text)}</b>`;
  return address ? `<a href="${escapeHtml(address)}">${name}</a>` : name;
}

function swatches(colors: readonly Color[]): string {
  const shown = colors.filter(({ hex }) => /^[0-9a-f]{6}$/i.test(hex)).slice(0, MOST_COLORS);
  if (shown.length === 0) return '';
  const blocks = shown.map(({ hex, name, presence }) => {
    const said = [name, `#${hex}`, ...(presence === undefined ? [] : [`${presence}%`])]
      .filter(Boolean)
      .join(' ');
    return `<i style="background:#${hex}" title="${escapeHtml(said)}"></i>`;
  });
  return `<span class="swatches" role="img" aria-label="${escapeHtml(`colours: ${shown.map(({ hex, name }) => name || `#${hex}`).join(', ')}`)}">${blocks.join('')}</span>`;
}

/** An http address; undefined for others, such as one that would run a script. */
export function webAddress(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
