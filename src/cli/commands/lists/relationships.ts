/** `opac relationships`: lists the relationships between records. */
import { OpacError } from '../../../service/errors.js';
import { formatNumber } from '../../../service/format-numbers.js';
import { asList, asNumber, asObject, type JsonObject } from '../../../service/json.js';
import { KIND_KEYS, RECORD_KINDS, type RecordKind } from '../../../service/kinds.js';
import { readRecord } from '../../../service/records/record.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import { kindArgument } from '../../options/kind.js';
import { toItemsResult } from '../../output/item-schemas.js';
import { getNamed } from '../items/known-names.js';
import { listItems } from '../items/list-items.js';
import { getAndKeepBytes } from '../items/read-list.js';

export const commands = [
  defineCommand({
    name: 'list',
    summary: 'list the relationships of a kind of record',
    arguments: [kindArgument(RECORD_KINDS)],
    examples: {
      'list the relationships of objects': 'opac relationships list objects --mock',
      'list only the ids of the relationships': 'opac relationships list persons --mock -f ids',
    },
    endpoints: RECORD_KINDS.map((kind) => `${kind}.relationships` as const),
    run: async (context, { kind }) =>
      listItems(context, {
        endpointId: `${kind}.relationships`,
        emptyMessage: `${kind} have no relationships`,
      }),
  }),
  defineCommand({
    name: 'get',
    summary: 'list the relationships of a record, or the records of one relationship',
    arguments: [
      kindArgument(RECORD_KINDS),
      { name: 'recordId', summary: 'id of the record', required: true },
      {
        name: 'relationshipId',
        summary: 'id of the relationship (default: list all relationships of the record)',
      },
    ],
    examples: {
      'list the relationships that an object has': 'opac relationships get objects 20022 --mock',
      'show who made an object': 'opac relationships get objects 20022 object_prod_pri_person --mock',
      'show what a person made, as JSON from the service':
        'opac relationships get persons 5108 person_prod_object --mock -f json',
    },
    endpoints: RECORD_KINDS.map((kind) => `${kind}.relationship` as const),
    async run(context, { kind, recordId, relationshipId }) {
      if (relationshipId === undefined) {
        const raw = asObject(await fetchRecord(context, kind, recordId));
        return toItemsResult(asList(asObject(raw.relationshipsCollection).relationships), 'relationship', {
          emptyMessage: `${KIND_KEYS[kind].recordType} ${recordId} has no relationships`,
        });
      }
      const relationship = await getNamed(context, {
        endpointId: `${kind}.relationship`,
        path: { [KIND_KEYS[kind].idKey]: recordId, relationshipId },
        description: `relationship of ${KIND_KEYS[kind].recordType} ${recordId}`,
        name: relationshipId,
        listKnownNames: () => fetchRelationshipIds(context, kind, recordId),
      });
      return toItemsResult([relationship], 'related', {
        rows: (item) => asList(asObject(item).relatedRecords),
        emptyMessage: 'no related records',
        failure: () => createMissingRecordsError(asObject(relationship)),
      });
    },
  }),
];

/** The service may return only some of the related records (FIELD-NOTES.md "Answers"). */
function createMissingRecordsError({
  relatedRecords,
  totalRelatedRecords,
}: JsonObject): OpacError | undefined {
  const received = asList(relatedRecords).length;
  const total = asNumber(totalRelatedRecords) ?? received;
  if (received >= total) return undefined;
  return new OpacError(
    'incomplete',
    `the service returned ${formatNumber(received)} of ${formatNumber(total)} related records`,
    { hint: 'the API cannot return the others; search for them with --where' },
  );
}

/** Throws an OpacError if the record does not exist. `getNamed` then throws this error, not an error about the relationship. */
async function fetchRelationshipIds(context: Context, kind: RecordKind, id: string): Promise<string[]> {
  return readRecord(await fetchRecord(context, kind, id), kind).relationships.map((each) => each.id);
}

async function fetchRecord(context: Context, kind: RecordKind, id: string): Promise<object> {
  const client = await context.client();
  return getAndKeepBytes(client, `${kind}.get`, {
    path: { [KIND_KEYS[kind].idKey]: id },
    signal: context.signal,
  });
}
