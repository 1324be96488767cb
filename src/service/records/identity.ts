/** How a record is recognised when it comes twice. */
import { asText, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { recordId, recordKind } from './record.js';

/**
 * The identity of a record with that id and type, undefined without an id. Ids are unique within a kind only: among records
 * of every kind the type stands before the id.
 */
export function identity(kind: Kind, id: string, recordType: string): string | undefined {
  if (id === '') return undefined;
  return kind === 'records' ? `${recordType}:${id}` : id;
}

/** The identity of a record as the service gives it. */
export function identityOf(raw: JsonObject, kind: Kind): string | undefined {
  return identity(kind, recordId(raw), asText(raw.recordType) || recordKind(raw) || '');
}
