/** Identifies a record that a result holds twice. */
import { asText, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { recordId, recordKind } from './record.js';

/** Ids are unique within a kind only, so a search of every kind puts the type before the id. Undefined without an id. */
export function identity(kind: Kind, id: string, recordType: string): string | undefined {
  if (id === '') return undefined;
  return kind === 'records' ? `${recordType}:${id}` : id;
}

export function identityOf(raw: JsonObject, kind: Kind): string | undefined {
  return identity(kind, recordId(raw), asText(raw.recordType) || recordKind(raw) || '');
}
