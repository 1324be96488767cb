/** Any JSON object of the service as a card: a collection, a highlight, a comment, a view. */
import { asText, isObject, type Json, type JsonObject } from '../../../service/json.js';
import { readRecord } from '../../../service/records/record.js';
import { sanitizeLine } from '../terminal/sanitize.js';
import { getStyles } from '../terminal/styles.js';
import { hexDigits, SWATCH_WIDTH, swatch } from '../terminal/swatch.js';
import { renderTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import { truncate, wrap } from '../terminal/text.js';
import { type DescriptionItem, renderDescriptionList, textItem } from './description-list.js';
import { renderImages } from './record-card.js';

/**
 * Draws an object no wider than the terminal: plain values and lists of them as fields, lists of objects as tables, the
 * fields of objects inside with their path, `image.caption`, images as on the card of a record. What is empty is left out.
 */
export function renderObjectCard(json: JsonObject, terminal: Terminal): string {
  const { bold } = getStyles(terminal);
  const { imagesCollection: _, ...others } = json;
  const parts = collect(others, '');
  const title = titleOf(json);
  const entries = parts.flatMap((part) => ('values' in part ? [valueEntry(part, terminal)] : []));
  const sections = [
    wrap(title, terminal.width).map((line) => (line === '' ? '' : bold(line))),
    renderDescriptionList(entries, terminal),
    ...parts.flatMap((part) => ('objects' in part ? [tableSection(part, terminal)] : [])),
    renderImages(readRecord(json).images, terminal),
  ];
  return sections
    .map((lines) => lines.join('\n'))
    .filter((text) => text !== '')
    .join('\n\n');
}

interface Values {
  readonly path: string;
  readonly values: readonly string[];
}

interface Objects {
  readonly path: string;
  readonly objects: readonly JsonObject[];
}

function collect(json: JsonObject, prefix: string): (Values | Objects)[] {
  return Object.entries(json).flatMap(([key, value]) => {
    const path = prefix + key;
    if (isObject(value)) return collect(value, `${path}.`);
    const list = (Array.isArray(value) ? (value as readonly Json[]) : [value]).filter(
      (each) => asText(each) !== '',
    );
    if (list.length === 0) return [];
    const objects = list.filter(isObject);
    return objects.length === list.length ? [{ path, objects }] : [{ path, values: list.map(asText) }];
  });
}

/** Keys that name a thing of the service, the likelier first. */
const TITLE_KEYS = /^(title|name|label|\w+(Name|Title|Label))$/;

function titleOf(json: JsonObject): string {
  const [, title] = Object.entries(json).find(
    ([key, value]) => TITLE_KEYS.test(key) && typeof value === 'string' && value !== '',
  ) ?? ['', ''];
  return sanitizeLine(asText(title));
}

function valueEntry({ path, values }: Values, terminal: Terminal): DescriptionItem {
  const [value = ''] = values;
  const text = sanitizeLine(value);
  if (values.length === 1 && /(^|\.)hex$/i.test(path) && hexDigits(text)) {
    const block = swatch(text, terminal);
    const shown = block === '' ? text : `${block} ${text}`;
    return { label: path, lines: (width) => (width > SWATCH_WIDTH + text.length ? [shown] : [text]) };
  }
  return textItem(path, values, terminal);
}

function tableSection({ path, objects }: Objects, terminal: Terminal): string[] {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))].filter((name) =>
    objects.some((object) => asText(object[name]) !== ''),
  );
  const rows = objects.map((object) => names.map((name) => cellText(object[name])));
  const heading = truncate(`${sanitizeLine(path)} (${objects.length})`, terminal.width, terminal);
  const { text } = renderTable({ columns: names.map((name) => ({ name })), rows }, terminal);
  return [getStyles(terminal).bold(heading), ...(text === '' ? [] : [text])];
}

function cellText(value: Json | undefined): string {
  return Array.isArray(value) ? value.map(asText).join('; ') : asText(value);
}
