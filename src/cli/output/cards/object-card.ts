/** Renders any JSON object as a card. */
import { asText, isObject, type Json, type JsonObject } from '../../../service/json.js';
import { readRecord } from '../../../service/records/record.js';
import { sanitizeLine } from '../terminal/sanitize.js';
import { getStyles } from '../terminal/styles.js';
import { renderTable } from '../terminal/table.js';
import type { Terminal } from '../terminal/terminal.js';
import { truncate, wrap } from '../terminal/text.js';
import { joinSections, renderDescriptionList, toTextItem } from './description-list.js';
import { renderImages } from './record-card.js';

/** Shows lists of objects as tables, and images as on the card of a record. Omits empty values. */
export function renderObjectCard(json: JsonObject, terminal: Terminal): string {
  const { bold } = getStyles(terminal);
  const { imagesCollection: _, ...others } = json;
  const fields = listFields(others, '');
  const items = fields.flatMap((field) =>
    'values' in field ? [toTextItem(field.path, field.values, terminal)] : [],
  );
  return joinSections([
    wrap(findTitle(json), terminal.width)
      .filter((line) => line !== '')
      .map((line) => bold(line)),
    renderDescriptionList(items, terminal),
    ...fields.flatMap((field) => ('objects' in field ? [renderTableSection(field, terminal)] : [])),
    renderImages(readRecord(json).images, terminal),
  ]);
}

interface ValuesField {
  readonly path: string;
  readonly values: readonly string[];
}

interface ObjectsField {
  readonly path: string;
  readonly objects: readonly JsonObject[];
}

function listFields(json: JsonObject, prefix: string): (ValuesField | ObjectsField)[] {
  return Object.entries(json).flatMap(([key, value]) => {
    const path = prefix + key;
    if (isObject(value)) return listFields(value, `${path}.`);
    const list = (Array.isArray(value) ? (value as readonly Json[]) : [value]).filter(
      (each) => asText(each) !== '',
    );
    if (list.length === 0) return [];
    const objects = list.filter(isObject);
    return objects.length === list.length ? [{ path, objects }] : [{ path, values: list.map(asText) }];
  });
}

const TITLE_KEYS = /^(title|name|label|\w+(Name|Title|Label))$/;

function findTitle(json: JsonObject): string {
  const [, title = ''] =
    Object.entries(json).find(
      ([key, value]) => TITLE_KEYS.test(key) && typeof value === 'string' && value !== '',
    ) ?? [];
  return sanitizeLine(asText(title));
}

/** More columns do not fit in a terminal. A hostile response could have thousands of objects with different keys. */
const MAX_TABLE_COLUMNS = 50;

function renderTableSection({ path, objects }: ObjectsField, terminal: Terminal): string[] {
  const isFilled = new Map<string, boolean>();
  for (const [name, value] of objects.flatMap((object) => Object.entries(object)))
    isFilled.set(name, isFilled.get(name) === true || asText(value) !== '');
  const all = [...isFilled.keys()].filter((name) => isFilled.get(name));
  const names = all.slice(0, MAX_TABLE_COLUMNS);
  const rows = objects.map((object) => names.map((name) => [object[name]].flat().map(asText).join('; ')));
  const omitted = all.length > names.length ? `; ${names.length} of ${all.length} columns` : '';
  const heading = truncate(`${sanitizeLine(path)} (${objects.length}${omitted})`, terminal.width, terminal);
  const { text } = renderTable({ columns: names.map((name) => ({ name })), rows }, terminal);
  return [getStyles(terminal).bold(heading), ...(text === '' ? [] : [text])];
}
