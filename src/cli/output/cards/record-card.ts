/** One record as a card: its fields, relationships and images. */
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import { fieldColumnName } from '../../../service/records/columns.js';
import {
  type CollectionRecord,
  type Color,
  type Derivative,
  findLargestDerivative,
  type Image,
  type ImageLabel,
  type Relationship,
} from '../../../service/records/record.js';
import type { FieldLabels } from '../../../service/search/field-labels.js';
import { formatPercent } from '../terminal/numbers.js';
import { sanitizeLine } from '../terminal/sanitize.js';
import { getGlyphs, getStyles, parseHexDigits, renderSwatch, type StyledText } from '../terminal/styles.js';
import type { Terminal } from '../terminal/terminal.js';
import { truncate, wrap } from '../terminal/text.js';
import {
  type DescriptionItem,
  flow,
  joinSections,
  renderDescriptionList,
  toTextItem,
} from './description-list.js';

/** The maximum number of related records per relationship. */
const MAX_RELATED = 12;
const MAX_IMAGES = 6;
const MAX_COLORS = 8;
const MAX_LISTED_FIELDS = 5;

export function renderRecordCard(record: CollectionRecord, terminal: Terminal, labels?: FieldLabels): string {
  const { dim } = getStyles(terminal);
  const fields = [...record.fields].map(([identifier, values]) => ({
    label: labels?.format(fieldColumnName(identifier)) ?? identifier,
    values: values.map(({ value }) => value).filter((value) => value !== ''),
  }));
  const filled = fields.filter(({ values }) => values.length > 0);
  const empty = fields.filter(({ values }) => values.length === 0).map(({ label }) => sanitizeLine(label));
  return joinSections([
    renderHeader(record, terminal),
    renderDescriptionList(
      filled.map(({ label, values }) => toTextItem(label, values, terminal)),
      terminal,
    ),
    renderSection(
      'Relationships',
      record.relationships.map((each) => createRelationshipEntry(each, terminal)),
      terminal,
    ),
    renderImages(record.images, terminal),
    empty.length === 0 ? [] : wrap(describeEmptyFields(empty), terminal.width).map((line) => dim(line)),
  ]);
}

function describeEmptyFields(names: readonly string[]): string {
  const fields = `${formatCount(names.length, 'field')} without a value`;
  return names.length > MAX_LISTED_FIELDS ? fields : `${fields}: ${names.join(', ')}`;
}

function renderHeader(record: CollectionRecord, terminal: Terminal): string[] {
  const { bold, dim } = getStyles(terminal);
  const { collection } = record;
  const about = [
    [record.recordType, record.id].filter((part) => part !== '').join(' '),
    collection?.name || (collection?.id ? `collection ${collection.id}` : ''),
  ];
  const pieces = about.map(sanitizeLine).filter((part) => part !== '');
  return [
    ...wrap(sanitizeLine(record.title) || '(no title)', terminal.width).map((line) => bold(line)),
    ...flow(
      pieces.map((plain) => ({ plain })),
      terminal.width,
      ` ${getGlyphs(terminal).dot} `,
      terminal,
    ).map((line) => dim(line)),
  ];
}

function renderSection(heading: string, entries: readonly DescriptionItem[], terminal: Terminal): string[] {
  if (entries.length === 0) return [];
  return [
    getStyles(terminal).bold(truncate(heading, terminal.width, terminal)),
    ...renderDescriptionList(entries, terminal),
  ];
}

function createRelationshipEntry(
  { id, recordType, records, total }: Relationship,
  terminal: Terminal,
): DescriptionItem {
  const { dim } = getStyles(terminal);
  const shown = records.slice(0, MAX_RELATED);
  const more = Math.max(total, records.length) - shown.length;
  return {
    label: id,
    lines: (width) => [
      dim(truncate(formatCount(total, sanitizeLine(recordType) || 'record'), width, terminal)),
      ...shown.flatMap((related) => {
        const title = sanitizeLine(related.title || related.slug);
        const text = title === '' ? related.id : related.id === '' ? title : `${title} (${related.id})`;
        return toTextItem('', [text], terminal).lines(width);
      }),
      ...(more > 0 ? [formatMore(more, terminal, width)] : []),
    ],
  };
}

function formatMore(more: number, terminal: Terminal, width: number): string {
  const text = `${getGlyphs(terminal).ellipsis} and ${formatNumber(more)} more`;
  return getStyles(terminal).dim(truncate(text, width, terminal));
}

export function renderImages(images: readonly Image[], terminal: Terminal): string[] {
  const shown = images.slice(0, MAX_IMAGES);
  const more = images.length - shown.length;
  return [
    ...renderSection(
      `Images (${formatNumber(images.length)})`,
      shown.map((image, index) => createImageEntry(image, index + 1, terminal)),
      terminal,
    ),
    ...(more > 0 ? [formatMore(more, terminal, terminal.width)] : []),
  ];
}

/** The label is only a number, to leave room for the URL: users cannot click a wrapped URL. */
function createImageEntry(image: Image, number: number, terminal: Terminal): DescriptionItem {
  const largest = findLargestDerivative(image);
  const separator = ` ${getGlyphs(terminal).dot} `;
  return {
    label: String(number),
    lines: (width) => [
      getStyles(terminal).dim(truncate(`image ${sanitizeLine(image.id)}`.trim(), width, terminal)),
      ...(image.caption === '' ? [] : toTextItem('', [image.caption], terminal).lines(width)),
      ...flow(formatDerivatives(image, terminal), width, separator, terminal),
      ...(!largest ? [] : wrap(sanitizeLine(largest.url), width)),
      ...flow(formatColors(image, terminal), width, '  ', terminal),
      ...flow(formatLabels(image.labels), width, separator, terminal),
    ],
  };
}

function formatDerivatives(image: Image, terminal: Terminal): StyledText[] {
  const { times } = getGlyphs(terminal);
  const sorted = [...image.derivatives].sort((a, b) => countPixels(b) - countPixels(a));
  return sorted.map(({ identifier, width, height }) => {
    const size = width === undefined || height === undefined ? '' : ` ${width} ${times} ${height}`;
    return { plain: `${sanitizeLine(identifier)}${size}` };
  });
}

function countPixels({ width, height }: Derivative): number {
  return (width ?? 0) * (height ?? 0);
}

function formatColors(image: Image, terminal: Terminal): StyledText[] {
  const known = image.cssColors.length > 0 ? image.cssColors : image.rawColors;
  return known.slice(0, MAX_COLORS).map((color) => formatColor(color, terminal));
}

function formatColor({ hex, name, presence }: Color, terminal: Terminal): StyledText {
  const block = renderSwatch(hex, terminal);
  const digits = parseHexDigits(hex);
  // If a colour has a name, opac shows its hex digits only if the terminal cannot show a block of the colour.
  const words = [sanitizeLine(name), block === '' || name === '' ? (digits ? `#${digits}` : '') : ''];
  const text = [...words, presence === undefined ? '' : formatPercent(presence)]
    .filter((part) => part !== '')
    .join(' ');
  if (block === '') return { plain: text };
  return { plain: `   ${text}`, styled: `${block} ${text}` };
}

function formatLabels(given: readonly ImageLabel[]): StyledText[] {
  const sorted = [...given].sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  return sorted.map(({ label, score }) => ({
    plain: score === undefined ? sanitizeLine(label) : `${sanitizeLine(label)} ${formatPercent(score)}`,
  }));
}
