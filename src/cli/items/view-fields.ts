/** The fields that a deployment publishes in its views: the one place where it lists them itself. */
import { asList, asObject, asText } from '../../service/json.js';
import type { RecordKind } from '../../service/kinds.js';
import type { Context } from '../context.js';
import { listOf } from '../read-list.js';

export interface ViewField {
  readonly identifier: string;
  /** `''` when the view gives none. */
  readonly label: string;
}

/** Every field of every view of a kind, each once, in order of first appearance. */
export async function viewFields(context: Context, kind: RecordKind): Promise<ViewField[]> {
  const id = `${kind}.views`;
  const client = await context.client();
  const { records: views } = listOf(await client.get(id, { signal: context.signal }), id);
  const fields = new Map<string, ViewField>();
  for (const view of views) {
    for (const field of asList(asObject(view).fields)) {
      const { identifier, fieldName, label } = asObject(field);
      const name = asText(identifier ?? fieldName ?? (typeof field === 'string' ? field : ''));
      if (name !== '' && !fields.has(name)) fields.set(name, { identifier: name, label: asText(label) });
    }
  }
  return [...fields.values()];
}

/** Their identifiers. */
export async function fieldsOfViews(context: Context, kind: RecordKind): Promise<string[]> {
  return (await viewFields(context, kind)).map(({ identifier }) => identifier);
}
