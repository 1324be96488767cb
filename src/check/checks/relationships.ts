/** Relationships: the records they name exist, and point back where relationships run both ways. */
import { KIND_KEYS, kindOfRecordType, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import {
  type CollectionRecord,
  type Relationship,
  readRecord,
  readRelationship,
} from '../../service/records/record.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { type Probe, RequestFailed } from '../probe/probe.js';
import { findRichRecord, requestFirstPage, takeFirst } from '../samples/samples.js';

const SOURCE = 'INTERFACE.md "What the service does": unidirectional or bidirectional relationships';

export const RELATIONSHIP_CHECKS: readonly Check[] = [
  {
    id: 'relationships.exist',
    promise: 'related records exist',
    source: SOURCE,
    async *run(probe) {
      for (const tie of await findTies(probe)) {
        try {
          await fetchRelatedRecord(probe, tie);
        } catch (error) {
          if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
          yield deviation(`${relatedName(tie)}, which ${nameOf(tie)} names`, 404, error.exchange);
        }
      }
    },
  },
  {
    id: 'relationships.both-ways',
    promise: 'related records point back, where both kinds have relationships to each other',
    source: SOURCE,
    deviation: 'warn',
    needs: ['relationships.exist'],
    async *run(probe) {
      let tried = 0;
      for (const tie of await findTies(probe)) {
        const { from, to, record } = tie;
        const { value, exchange } = await fetchRelatedRecord(probe, tie);
        if (!(await leads(probe, from, to)) || !(await leads(probe, to, from))) continue;
        const related = readRecord(value, to);
        const back = related.relationships.filter(({ recordType }) => kindOfRecordType(recordType) === from);
        // A long list may be cut: a record that is not in it may still be related.
        if (back.some(({ records, total }) => total > records.length)) continue;
        tried++;
        if (back.some(({ records }) => records.some(({ id }) => id === record.id))) continue;
        yield deviation(`${relatedName(tie)} points back to ${nameOf(tie)}`, 'it does not', exchange);
      }
      if (tried === 0) throw new CheckNotApplicable('no relationships run both ways');
    },
  },
  {
    id: 'relationships.alone',
    promise: 'a relationship alone names the records it names in its record',
    source: 'INTERFACE.md "Object records": one relationship and its related set of records',
    async *run(probe) {
      const record = await findRichRecord(probe, 'objects');
      const relationship = takeFirst(record.relationships, 'no object has relationships');
      const path = { [KIND_KEYS.objects.idKey]: record.id, relationshipId: relationship.id };
      const { value, exchange } = await probe.request('objects.relationship', { path });
      const own = readRelationship(value);
      // A long list may be cut, here or there.
      if ([own, relationship].some(({ total, records }) => total > records.length)) return;
      const [expected, received] = [relationship, own].map(({ records }) => {
        const ids = records.map(({ id }) => id);
        return ids.toSorted().join(', ');
      });
      if (expected !== received)
        yield deviation(
          `${relationship.id} of object ${record.id} names ${expected}`,
          received || 'nobody',
          exchange,
        );
    },
  },
];

interface RelationshipSample {
  readonly from: RecordKind;
  readonly record: CollectionRecord;
  readonly relationship: Relationship;
  readonly to: RecordKind;
  readonly relatedId: string;
}

/** One relationship of each kind of record to each other kind, as far as the first pages have some. */
async function findTies(probe: Probe): Promise<RelationshipSample[]> {
  const found = new Map<string, RelationshipSample>();
  for (const from of RECORD_KINDS) {
    const { records } = await requestFirstPage(probe, from);
    for (const record of records) {
      for (const relationship of record.relationships) {
        const to = kindOfRecordType(relationship.recordType);
        const relatedId = relationship.records[0]?.id;
        if (!to || !relatedId || found.has(`${from} ${to}`)) continue;
        if ((await requestFirstPage(probe, to)).total === 0) continue;
        // One tie between two kinds is enough: it is checked from both sides.
        if (from === to || !found.has(`${to} ${from}`))
          found.set(`${from} ${to}`, { from, record, relationship, to, relatedId });
      }
    }
  }
  if (found.size === 0)
    throw new CheckNotApplicable('no record is related to a record of a kind that is published here');
  return [...found.values()];
}

const fetchRelatedRecord = (probe: Probe, { to, relatedId }: RelationshipSample) =>
  probe.request(`${to}.get`, { path: { [KIND_KEYS[to].idKey]: relatedId } });

const nameOf = ({ from, record, relationship }: RelationshipSample) =>
  `${relationship.id} of ${KIND_KEYS[from].recordType} ${record.id}`;

const relatedName = ({ to, relatedId }: RelationshipSample) => `${KIND_KEYS[to].recordType} ${relatedId}`;

/** Whether the service lists relationships from one kind to the other. */
async function leads(probe: Probe, from: RecordKind, to: RecordKind): Promise<boolean> {
  const { items } = await probe.requestList(`${from}.relationships`);
  return items.map(readRelationship).some(({ recordType }) => kindOfRecordType(recordType) === to);
}
