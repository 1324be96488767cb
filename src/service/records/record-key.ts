/** Identifies records, to find duplicates in a result. */
import { asText, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { readRecordId, readRecordKind } from './record.js';

/** Ids are unique only within a kind, so for `records` the key also contains the type. Returns undefined if the id is empty. */
export function formatRecordKey(kind: Kind, id: string, recordType: string): string | undefined {
  if (id === '') return undefined;
  return kind === 'records' ? `${recordType}:${id}` : id;
}

export function readRecordKey(raw: JsonObject, kind: Kind): string | undefined {
  return formatRecordKey(kind, readRecordId(raw), asText(raw.recordType) || readRecordKind(raw) || '');
}

const BREAKS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' };

/** Escapes line breaks in an id, so that a file can contain one id per line. */
export function escapeIdLine(id: string): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return id.replace(/[\n\r\v\f\u0085\u2028\u2029]/g, (character) => BREAKS[character] ?? escaped(character));
}
