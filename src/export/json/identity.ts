/** By what a record is known again when it comes twice. */
import { asText, type JsonObject } from '../../service/json.js';
import type { Kind } from '../../service/kinds.js';
import { recordId, recordKind } from '../../service/records/record.js';

/**
 * The id of a record, undefined when it has none. Ids are unique within a kind only: among records of every kind the type
 * stands before it.
 */
export function identityOf(raw: JsonObject, kind: Kind): string | undefined {
  const id = recordId(raw);
  if (id === '') return undefined;
  return kind === 'records' ? `${asText(raw.recordType) || recordKind(raw) || ''}:${id}` : id;
}
