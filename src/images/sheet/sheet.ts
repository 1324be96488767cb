/** Creates a contact sheet: one HTML file, which opac writes while it loads the thumbnails. */
import type { Client } from '../../client/client.js';
import { runInOrder } from '../../client/paging/prefetch.js';
import { getOrAddList } from '../../service/get-or-add-list.js';
import type { Color } from '../../service/records/record.js';
import { escapeHtml } from '../../system/html.js';
import { fetchImage } from '../fetch-image.js';
import { getMainColors } from '../image-row.js';
import { type Card, pickThumbnail, renderCard, type Thumbnail, toHttpUrl } from './card.js';
import { PAGE_END, renderPageStart } from './sheet-html.js';

export interface SheetOptions {
  readonly title: string;
  readonly grouped: boolean;
  readonly byColor: boolean;
  /** Whether the sheet links to the thumbnails on the web instead of containing them. */
  readonly link: boolean;
  readonly client: Pick<Client, 'fetchFile'>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
  readonly onMissing: (card: Card, reason: string) => void;
}

const MAX_THUMBNAIL_BYTES = 16 * 1024 * 1024;

/** Yields the parts of the HTML. A card shows why its thumbnail is missing. Throws the reason of the signal. */
export async function* renderContactSheet(
  cards: readonly Card[],
  options: SheetOptions,
): AsyncGenerator<string> {
  const { title, link, grouped, concurrency, signal, onProgress, onMissing } = options;
  const groups = groupCards(cards, options);
  const ordered = groups.flatMap(([, members]) => members);
  let next = 0;
  const thumbnails = runInOrder<Thumbnail>({
    concurrency,
    signal,
    next: () => {
      const card = ordered[next++];
      return card && loadThumbnail(card, options);
    },
  });
  let done = 0;
  try {
    yield renderPageStart(title, cards.length, link);
    for (const [group, members] of groups) {
      const heading = `<h2>${escapeHtml(group)} <small>${members.length}</small></h2>`;
      yield `<section>${grouped ? heading : ''}<div class="grid">\n`;
      for (const card of members) {
        const { value: thumbnail }: IteratorResult<Thumbnail, Thumbnail> = await thumbnails.next();
        signal.throwIfAborted();
        if ('missing' in thumbnail) onMissing(card, thumbnail.missing);
        yield renderCard(card, thumbnail, link);
        onProgress(++done, cards.length);
      }
      yield '</div></section>\n';
    }
    yield PAGE_END;
  } finally {
    await thumbnails.return(undefined);
  }
}

/** Returns the groups, sorted by name. Cards without a group come last. */
function groupCards(
  cards: readonly Card[],
  { grouped, byColor }: Pick<SheetOptions, 'grouped' | 'byColor'>,
): [string, readonly Card[]][] {
  const rank = ({ row }: Card) => getColorRank(getMainColors(row.image)[0]);
  const sorted = byColor ? cards.toSorted((one, other) => rank(one) - rank(other)) : cards;
  if (!grouped) return [['', sorted]];
  const groups = new Map<string, Card[]>();
  for (const card of sorted) getOrAddList(groups, card.group).push(card);
  return [...groups]
    .sort(([one], [other]) => Number(one === '') - Number(other === '') || one.localeCompare(other, 'en'))
    .map(([group, members]) => [group || '(no value)', members]);
}

async function loadThumbnail(card: Card, { link, client, signal }: SheetOptions): Promise<Thumbnail> {
  const thumbnail = pickThumbnail(card)?.url;
  if (thumbnail === undefined) return { missing: 'the record has no URL for this image' };
  if (link) {
    const source = toHttpUrl(thumbnail);
    return source ? { source } : { missing: 'the URL is not an http or https URL' };
  }
  try {
    const { bytes, mediaType } = await fetchImage(client, thumbnail, {
      maxBytes: MAX_THUMBNAIL_BYTES,
      signal,
    });
    return { source: `data:${mediaType};base64,${bytes.toString('base64')}` };
  } catch (error) {
    signal.throwIfAborted();
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** Higher than the ranks of hues, which are 0 to 360, and of greys, which are 1000 to 1001. */
const RANK_WITHOUT_COLOR = 2000;

const MAX_GREY_SATURATION = 0.12;

/** Returns a number for sorting: first colours by hue, then greys from dark to light, then images without a colour. */
function getColorRank(color: Color | undefined): number {
  const channels = /^([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color?.hex ?? '');
  if (!channels) return RANK_WITHOUT_COLOR;
  const [red = 0, green = 0, blue = 0] = channels.slice(1).map((digits) => Number.parseInt(digits, 16) / 255);
  const most = Math.max(red, green, blue);
  const chroma = most - Math.min(red, green, blue);
  const lightness = most - chroma / 2;
  const saturation = chroma === 0 ? 0 : chroma / (1 - Math.abs(2 * lightness - 1));
  if (saturation < MAX_GREY_SATURATION) return 1000 + lightness;
  const sector =
    most === red
      ? (green - blue) / chroma
      : most === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  return (sector * 60 + 360) % 360;
}
