/** One image of a contact sheet, as HTML. */

import type { Color } from '../../service/records/record.js';
import { escapeHtml } from '../../system/html.js';
import { getMainColors, type ImageRow, pickDerivative, smallestDerivative } from '../image-row.js';

export interface Card {
  readonly row: ImageRow;
  readonly name: string;
  /** The address of the record for the public. */
  readonly page: string | undefined;
  readonly group: string;
}

export type Thumbnail = { readonly source: string } | { readonly missing: string };

/** Pixels of the longer side of a thumbnail, where an image has one so small. */
const THUMBNAIL = 150;

const MAX_COLORS = 6;

export const thumbnailOf = ({ row }: Card) => smallestDerivative(row.image, THUMBNAIL);

/** Escapes every text and links only to web addresses. */
export function renderCard(card: Card, picture: Thumbnail, lazily: boolean): string {
  const { name, page, row } = card;
  const { record, image } = row;
  const { title } = record;
  const { caption } = image;
  const heading = name === '' ? `${record.recordType} ${record.id}` : name;
  const { width, height } = thumbnailOf(card) ?? {};
  const size = width && height ? ` width="${Math.round(width)}" height="${Math.round(height)}"` : '';
  const shown =
    'source' in picture
      ? `<img src="${escapeHtml(picture.source)}" alt="${escapeHtml(caption || title || heading)}"${size} decoding="async"${lazily ? ' loading="lazy"' : ''}>`
      : `<span class="missing">${escapeHtml(picture.missing)}</span>`;
  const largest = toHttpUrl(pickDerivative(image, [])?.url);
  const colors = getMainColors(image);
  const labels = image.labels.map(({ label }) => label);
  const names = colors.map((color) => color.name);
  const found = new Set([heading, title, caption, record.id, image.id, ...labels, ...names]);
  return [
    `<figure data-text="${escapeHtml([...found].join(' '))}">`,
    largest
      ? `<a class="picture" href="${escapeHtml(largest)}">${shown}</a>`
      : `<div class="picture">${shown}</div>`,
    '<figcaption>',
    renderLink(heading, toHttpUrl(page)),
    title === '' || title === heading ? '' : `<span class="title">${escapeHtml(title)}</span>`,
    caption === '' || caption === title ? '' : `<span class="caption">${escapeHtml(caption)}</span>`,
    swatches(colors),
    '</figcaption></figure>\n',
  ].join('');
}

function renderLink(text: string, address: string | undefined): string {
  const name = `<b>${escapeHtml(text)}</b>`;
  return address ? `<a href="${escapeHtml(address)}">${name}</a>` : name;
}

function swatches(colors: readonly Color[]): string {
  const shown = colors.filter(({ hex }) => /^[0-9a-f]{6}$/i.test(hex)).slice(0, MAX_COLORS);
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
export function toHttpUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
