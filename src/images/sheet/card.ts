/** Renders one image of a contact sheet as HTML. */
import { type Color, getFieldValues } from '../../service/records/record.js';
import { escapeHtml } from '../../system/html.js';
import { findSmallestDerivative, getMainColors, type ImageRow, pickDerivative } from '../image-row.js';

export interface Card {
  readonly row: ImageRow;
  readonly name: string;
  /** The URL of the web page of the record. */
  readonly page: string | undefined;
  readonly group: string;
}

export type Thumbnail = { readonly source: string } | { readonly missing: string };

const MIN_THUMBNAIL_PIXELS = 150;

const MAX_COLORS = 6;

const SHOWN_FIELDS = ['maker_name', 'production_date', 'credit_line'];

export const pickThumbnail = ({ row }: Card) => findSmallestDerivative(row.image, MIN_THUMBNAIL_PIXELS);

/** Escapes all texts, and links only to http and https URLs. */
export function renderCard(card: Card, thumbnail: Thumbnail, isLazy: boolean): string {
  const { name, page, row } = card;
  const { record, image } = row;
  const { title } = record;
  const { caption } = image;
  const heading = name === '' ? `${record.recordType} ${record.id}` : name;
  const { width, height } = pickThumbnail(card) ?? {};
  const size = width && height ? ` width="${Math.round(width)}" height="${Math.round(height)}"` : '';
  const shown =
    'source' in thumbnail
      ? `<img src="${escapeHtml(thumbnail.source)}" alt="${escapeHtml(caption || title || heading)}"${size} decoding="async"${isLazy ? ' loading="lazy"' : ''}>`
      : `<span class="missing">${escapeHtml(thumbnail.missing)}</span>`;
  const largest = toHttpUrl(pickDerivative(image, [])?.url);
  const colors = getMainColors(image);
  const labels = image.labels.map(({ label }) => label);
  const names = colors.map((color) => color.name);
  const details = SHOWN_FIELDS.map((field) =>
    getFieldValues(record, field)
      .map(({ value }) => value)
      .filter(Boolean)
      .join('; '),
  ).filter((text) => text !== '' && text !== heading);
  const found = new Set([heading, title, ...details, caption, record.id, image.id, ...labels, ...names]);
  return [
    `<figure data-text="${escapeHtml([...found].join(' '))}">`,
    largest
      ? `<a class="picture" href="${escapeHtml(largest)}">${shown}</a>`
      : `<div class="picture">${shown}</div>`,
    '<figcaption>',
    renderLink(heading, toHttpUrl(page)),
    title === '' || title === heading ? '' : `<span class="title">${escapeHtml(title)}</span>`,
    caption === '' || caption === title ? '' : `<span class="caption">${escapeHtml(caption)}</span>`,
    ...details.map((text) => `<span class="caption">${escapeHtml(text)}</span>`),
    renderSwatches(colors),
    '</figcaption></figure>\n',
  ].join('');
}

function renderLink(text: string, url: string | undefined): string {
  const name = `<b>${escapeHtml(text)}</b>`;
  return url ? `<a href="${escapeHtml(url)}">${name}</a>` : name;
}

function renderSwatches(colors: readonly Color[]): string {
  const shown = colors.filter(({ hex }) => /^[0-9a-f]{6}$/i.test(hex)).slice(0, MAX_COLORS);
  if (shown.length === 0) return '';
  const blocks = shown.map(({ hex, name, presence }) => {
    const label = [name, `#${hex}`, ...(presence === undefined ? [] : [`${presence}%`])]
      .filter(Boolean)
      .join(' ');
    return `<i style="background:#${hex}" title="${escapeHtml(label)}"></i>`;
  });
  return `<span class="swatches" role="img" aria-label="${escapeHtml(`colours: ${shown.map(({ hex, name }) => name || `#${hex}`).join(', ')}`)}">${blocks.join('')}</span>`;
}

/** Returns undefined for text that is not an http or https URL, such as a `javascript:` URL. */
export function toHttpUrl(text: string | undefined): string | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) ? url.href : undefined;
}
