/** Reads the fields of a deployment from its views. */
import { asList, asObject, asText, type Json } from '../../../service/json.js';
import { KIND_KEYS, type Kind, RECORD_KINDS, type RecordKind } from '../../../service/kinds.js';
import type { PublishedField } from '../../../service/records/field-use.js';
import type { Context } from '../../context.js';
import { fetchAllItems } from './list-items.js';

/** Returns each field once, in order of appearance. `records` stands for all kinds. */
export async function fetchViewFields(context: Context, kind: Kind): Promise<PublishedField[]> {
  if (kind !== 'records') return mergeFields(await fetchFieldsOfKind(context, kind));
  const all = await Promise.all(
    RECORD_KINDS.map(async (each) =>
      (await fetchFieldsOfKind(context, each)).map((field) => ({
        ...field,
        views: field.views.map((view) => `${KIND_KEYS[each].recordType} ${view}`),
      })),
    ),
  );
  return mergeFields(all.flat());
}

async function fetchFieldsOfKind(context: Context, kind: RecordKind): Promise<PublishedField[]> {
  const views = await fetchAllItems(context, { endpointId: `${kind}.views` });
  return views.flatMap(readFieldsOfView);
}

function readFieldsOfView(each: Json): PublishedField[] {
  const view = asObject(each);
  const name = asText(view.viewName ?? view.name ?? view.identifier);
  return asList(view.fields).map((field) => {
    const { identifier, fieldName, label } = asObject(field);
    return {
      identifier: asText(identifier ?? fieldName ?? (typeof field === 'string' ? field : '')),
      label: asText(label),
      views: name === '' ? [] : [name],
    };
  });
}

function mergeFields(all: readonly PublishedField[]): PublishedField[] {
  const fields = new Map<string, PublishedField>();
  for (const { identifier, label, views } of all) {
    if (identifier === '') continue;
    const before = fields.get(identifier);
    fields.set(identifier, {
      identifier,
      label: before?.label || label,
      views: [...new Set([...(before?.views ?? []), ...views])],
    });
  }
  return [...fields.values()];
}
