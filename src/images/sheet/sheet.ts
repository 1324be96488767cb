/** A contact sheet: one self-contained HTML file, written as its thumbnails arrive. */
import type { Client } from '../../client/client.js';
import { PrefetchQueue } from '../../client/paging/prefetch.js';
import type { Color } from '../../service/records/record.js';
import { escapeHtml } from '../../system/html.js';
import { fetchImage } from '../fetch-image.js';
import { getMainColors } from '../image-row.js';
import { type Card, renderCard, type Thumbnail, thumbnailOf, toHttpUrl } from './card.js';
import { PAGE_END, pageHead } from './sheet-html.js';

export interface SheetOptions {
  readonly title: string;
  readonly grouped: boolean;
  readonly byColor: boolean;
  /** Load thumbnails from their addresses instead of embedding them. */
  readonly link: boolean;
  readonly client: Pick<Client, 'fetchFile'>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
  readonly onMissing: (card: Card, reason: string) => void;
}

/** A thumbnail has a few thousand bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Yields the file in pieces. A thumbnail that fails leaves a gap with its reason. Throws the signal's reason. */
export async function* renderContactSheet(
  cards: readonly Card[],
  options: SheetOptions,
): AsyncGenerator<string> {
  const { title, link, grouped, concurrency, signal, onProgress, onMissing } = options;
  const groups = groupCards(cards, options);
  const ordered = groups.flatMap(([, members]) => members);
  let next = 0;
  const pictures = new PrefetchQueue<Thumbnail>({
    concurrency,
    next: () => {
      const card = ordered[next++];
      return card && loadThumbnail(card, options);
    },
  });
  let done = 0;
  try {
    yield pageHead({ title, images: cards.length, link });
    for (const [group, members] of groups) {
      const heading = `<h2>${escapeHtml(group)} <small>${members.length}</small></h2>`;
      yield `<section>${grouped ? heading : ''}<div class="grid">\n`;
      for (const card of members) {
        const outcome = await pictures.take();
        signal.throwIfAborted();
        if (outcome && 'error' in outcome) throw outcome.error;
        const picture = outcome?.value ?? { missing: 'no picture' };
        if ('missing' in picture) onMissing(card, picture.missing);
        yield renderCard(card, picture, link);
        onProgress(++done, cards.length);
      }
      yield '</div></section>\n';
    }
    yield PAGE_END;
  } finally {
    await pictures.stop();
  }
}

/** Groups by name, cards without one last; within a group in the order of the search, or by colour. */
function groupCards(
  cards: readonly Card[],
  { grouped, byColor }: Pick<SheetOptions, 'grouped' | 'byColor'>,
): [string, readonly Card[]][] {
  const order = new Map(cards.map((card) => [card, getColorRank(getMainColors(card.row.image)[0])]));
  const sorted = byColor
    ? cards.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))
    : cards;
  if (!grouped) return [['', sorted]];
  const groups = new Map<string, Card[]>();
  for (const card of sorted) groups.set(card.group, [...(groups.get(card.group) ?? []), card]);
  return [...groups]
    .sort(([one], [other]) => Number(one === '') - Number(other === '') || one.localeCompare(other, 'en'))
    .map(([group, members]) => [group || '(no value)', members]);
}

async function loadThumbnail(card: Card, { link, client, signal }: SheetOptions): Promise<Thumbnail> {
  const thumbnail = thumbnailOf(card)?.url;
  if (thumbnail === undefined) return { missing: 'no address' };
  if (link) {
    const source = toHttpUrl(thumbnail);
    return source ? { source } : { missing: 'no web address' };
  }
  try {
    const { bytes, mediaType } = await fetchImage(client, thumbnail, { maxBytes: MAX_BYTES, signal });
    return { source: `data:${mediaType};base64,${bytes.toString('base64')}` };
  } catch (error) {
    signal.throwIfAborted();
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** Above all others: a wheel has 360 degrees, and greys follow from 1000 on. */
const WITHOUT_COLOR = 2000;

/** Saturation below which the eye sees grey. */
const GREY = 0.12;

/** The place of a main colour: around the colour wheel, then greys from dark to light, then images without a colour. */
function getColorRank(color: Color | undefined): number {
  const channels = /^([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color?.hex ?? '');
  if (!channels) return WITHOUT_COLOR;
  const [red = 0, green = 0, blue = 0] = channels.slice(1).map((digits) => Number.parseInt(digits, 16) / 255);
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  const lightness = most - chroma / 2;
  const saturation = chroma === 0 ? 0 : chroma / (1 - Math.abs(2 * lightness - 1));
  if (saturation < GREY) return 1000 + lightness;
  const sector =
    most === red
      ? (green - blue) / chroma
      : most === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  return (sector * 60 + 360) % 360;
}
