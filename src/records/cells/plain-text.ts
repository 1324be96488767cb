/** Converts HTML in values to plain text (`--plain-text`). Does not run scripts or request files. */
import { decodeHTMLStrict } from 'entities/decode';
import type { CollectionRecord, FieldValue } from '../../service/records/record.js';

/** Elements with a line break before and after them (HTML, section 15.3). */
const BLOCKS = words(
  'address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6',
  'header hgroup hr li main menu nav ol p pre section summary table tbody tfoot thead tr ul',
);
const CELLS = words('td th');
const HIDDEN = words('script style');
/** Other common HTML elements. Any other name between < and > is text, such as <illegible>. */
const INLINE = words(
  'a abbr acronym audio b bdi bdo big body br button caption cite code col colgroup data del dfn em embed font head html i iframe',
  'img input ins kbd label link map mark meta nobr object optgroup option q rp rt ruby s samp select small source span strike',
  'strong sub sup svg textarea time tt u var video wbr',
);

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(' '));
}

const TAG_NAME = /<\/?([a-z][a-z0-9]*)(?=[\s/>])/iy;

interface Markup {
  readonly name: string;
  readonly end: number;
}

/** Writes line breaks for `<br>` and around paragraphs, list items and rows. Keeps text that is not a tag, such as `a < b`. */
export function plainText(text: string): string {
  if (!text.includes('<')) return text.includes('&') ? decodeHTMLStrict(text) : text;
  const lines = new TextBuilder();
  let from = 0;
  for (let at = text.indexOf('<'); at >= 0; ) {
    const { name, end } = readMarkup(text, at);
    if (name !== '') {
      lines.add(decodeHTMLStrict(text.slice(from, at)));
      from = end;
      if (name === 'br') lines.add('\n');
      else if (CELLS.has(name)) lines.add(text[at + 1] === '/' ? '' : ' ');
      else if (BLOCKS.has(name)) lines.break();
    }
    at = text.indexOf('<', end);
  }
  lines.add(decodeHTMLStrict(text.slice(from)));
  return lines.text;
}

/** Reads the tag, the comment or the text that begins at a `<`. For text, `name` is `''`. */
function readMarkup(text: string, at: number): Markup {
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('-->', at + 4);
    return end < 0 ? { name: '', end: text.length } : { name: '!--', end: end + 3 };
  }
  TAG_NAME.lastIndex = at;
  const name = TAG_NAME.exec(text)?.[1]?.toLowerCase() ?? '';
  if (!BLOCKS.has(name) && !CELLS.has(name) && !HIDDEN.has(name) && !INLINE.has(name))
    return { name: '', end: at + 1 };
  const end = findTagEnd(text, at + 1);
  if (text[end - 1] !== '>') return { name: '', end };
  if (!HIDDEN.has(name) || text[at + 1] === '/') return { name, end };
  const close = new RegExp(`</${name}\\s*>`, 'gi');
  close.lastIndex = end;
  return close.test(text) ? { name, end: close.lastIndex } : { name: '', end: text.length };
}

/** Returns the position after the `>` of a tag. If a `<` or the end of the text comes first, returns that position. */
function findTagEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const character = text[i];
    if (character === '>') return i + 1;
    if (character === '<') return i;
    if (character !== '"' && character !== "'") continue;
    const close = text[i - 1] === '=' ? text.indexOf(character, i + 1) : -1;
    if (close >= 0) i = close;
  }
  return text.length;
}

/** Joins pieces of text. The line break of a block replaces the spaces around it. */
class TextBuilder {
  readonly #pieces: string[] = [];
  #needsLineBreak = false;

  add(piece: string): void {
    const rest = this.#needsLineBreak ? piece.trimStart() : piece;
    if (rest === '') return;
    if (this.#needsLineBreak && this.#pieces.length > 0) this.#pieces.push('\n');
    this.#needsLineBreak = false;
    this.#pieces.push(rest);
  }

  break(): void {
    for (let last = this.#pieces.pop(); last !== undefined; last = this.#pieces.pop()) {
      const kept = last.trimEnd();
      if (kept === '') continue;
      this.#pieces.push(kept);
      break;
    }
    this.#needsLineBreak = true;
  }

  get text(): string {
    return this.#pieces.join('');
  }
}

/** Converts titles, captions, field values, attributes of fields and images, and the name of the collection, but nothing else. */
export function stripHtmlFromRecord(record: CollectionRecord): CollectionRecord {
  const { title, collection, fields, images, relationships } = record;
  return {
    ...record,
    title: plainText(title),
    collection: collection && { ...collection, name: plainText(collection.name) },
    fields: new Map([...fields].map(([name, values]) => [name, values.map(plainValue)])),
    images: images.map((image) => ({
      ...image,
      caption: plainText(image.caption),
      attributes: plainTexts(image.attributes),
    })),
    relationships: relationships.map((each) => ({
      ...each,
      records: each.records.map((related) => ({ ...related, title: plainText(related.title) })),
    })),
  };
}

const plainTexts = (texts: ReadonlyMap<string, string>) =>
  new Map([...texts].map(([key, text]) => [key, plainText(text)]));

function plainValue({ value, attributes }: FieldValue): FieldValue {
  return { value: plainText(value), attributes: plainTexts(attributes) };
}
