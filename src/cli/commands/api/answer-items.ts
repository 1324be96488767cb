/** Answers to any path as items with the sheet that suits them: that of the catalogue's row, or one of whatever keys there are. */
import { readList } from '../../../client/paging/list.js';
import { endpoint } from '../../../service/catalogue.js';
import { isServiceItem } from '../../../service/items.js';
import { isObject, type Json } from '../../../service/json.js';
import { KIND_WORDS, KINDS } from '../../../service/kinds.js';
import type { ItemSchema } from '../../command/item-schema.js';
import { itemSchema } from '../../output/item-schemas.js';
import { recordSchema } from '../../output/record-schema.js';

export interface AnswerItems {
  readonly items: readonly Json[];
  readonly total: number | undefined;
  /** False for a single thing. */
  readonly isList: boolean;
}

/** The items of an answer; `endpointId` is the row of the catalogue when the path has one. */
export function itemsOf(value: unknown, endpointId: string | undefined, offset = 0): AnswerItems {
  const list = readList(value, listShape(endpointId), offset);
  const shape = shapeOf(endpointId);
  const isList =
    list !== undefined &&
    (shape === 'list' || (shape === undefined && (Array.isArray(value) || list.total !== undefined)));
  return isList
    ? { items: list.records, total: list.total, isList }
    : { items: [isObject(value) ? value : String(value)], total: undefined, isList: false };
}

/** The sheet of what an endpoint gives. */
export function sheetOf(endpointId: string | undefined): ItemSchema {
  const answer = endpointId === undefined ? undefined : endpoint(endpointId).answer;
  const item = answer && 'item' in answer ? answer.item : '';
  const kind = KINDS.find((each) => KIND_WORDS[each].recordType === item);
  if (kind) return recordSchema(kind);
  return itemSchema(isServiceItem(item) ? item : 'answer');
}

function shapeOf(endpointId: string | undefined): string | undefined {
  // Nothing is known of a path outside the catalogue.
  return endpointId === undefined ? undefined : endpoint(endpointId).answer.shape;
}

function listShape(endpointId: string | undefined): { readonly key: string; readonly total: string } {
  const answer = endpointId === undefined ? undefined : endpoint(endpointId).answer;
  return answer?.shape === 'list' ? answer : { key: '', total: '' };
}
