/** Finds records that opac cannot read completely, because the structure of a part differs from FIELD-NOTES.md. */
import { asObject, asText, isObject, type JsonObject } from '../json.js';
import { readMatchingKey } from './record.js';

/** Returns true if `readRecord` would lose values. Empty values and missing keys are not a problem. */
export function hasUnreadableParts(raw: JsonObject): boolean {
  return (
    !areListItems(readMatchingKey(raw, /^opac\w*FieldSets$/), isReadableSet) ||
    !isCollection(raw.imagesCollection, 'images') ||
    !isCollection(raw.relationshipsCollection, 'relationships')
  );
}

/** Returns true if a record contains fewer images than its `totalImages` (FIELD-NOTES.md "Answers"). */
export function lacksImages({ imagesCollection }: JsonObject): boolean {
  const { images, totalImages } = asObject(imagesCollection);
  return Number(asText(totalImages)) > (Array.isArray(images) ? images.length : 0);
}

function isReadableSet(set: unknown): boolean {
  if (isEmpty(set)) return true;
  if (!isObject(set)) return false;
  const fields = readMatchingKey(set, /^opac\w*Fields$/);
  return areListItems(fields, isEmpty) || (!isEmpty(set.identifier) && areListItems(fields, isReadableField));
}

function isReadableField(field: unknown): boolean {
  if (!isObject(field)) return true;
  const attributes = readMatchingKey(field, /^opac\w*FieldAttributes$/);
  const isWithoutOtherKeys = Object.keys(field).length === (attributes === undefined ? 0 : 1);
  return (field.value !== undefined || isWithoutOtherKeys) && areListItems(attributes, isObject);
}

function isCollection(value: unknown, listKey: string): boolean {
  return isEmpty(value) || (isObject(value) && areListItems(value[listKey], isObject));
}

function areListItems(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return isEmpty(value) || (Array.isArray(value) && value.every(isItem));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
