/** Checks that related records exist and link back, and that a relationship requested separately has the same records. */
import { KIND_KEYS, kindOfRecordType, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { readRecord, readRelationship } from '../../service/records/record.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, deviation } from '../probe/deviation.js';
import { type Probe, RequestFailed } from '../probe/probe.js';
import { findRichRecord, requestFirstPage, takeFirst } from '../samples/samples.js';

const SOURCE = 'opac help interface, "What the service does": unidirectional or bidirectional relationships';

export const RELATIONSHIP_CHECKS: readonly Check[] = [
  {
    id: 'relationships.exist',
    promise: 'related records exist',
    source: SOURCE,
    async *run(probe) {
      for (const sample of await findSamples(probe)) {
        try {
          await fetchRelatedRecord(probe, sample);
        } catch (error) {
          if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
          yield deviation(`${sample.relatedName} exists (listed in ${sample.name})`, 404, error.exchange);
        }
      }
    },
  },
  {
    id: 'relationships.both-ways',
    promise: 'related records link back, if both kinds have relationships to each other',
    source: SOURCE,
    needs: ['relationships.exist'],
    async *run(probe) {
      let tried = 0;
      for (const sample of await findSamples(probe)) {
        const { from, to, recordId, name, relatedName } = sample;
        const { value, exchange } = await fetchRelatedRecord(probe, sample);
        const isBidirectional =
          (await hasRelationships(probe, from, to)) && (await hasRelationships(probe, to, from));
        if (!isBidirectional) continue;
        const related = readRecord(value, to);
        const back = related.relationships.filter(({ recordType }) => kindOfRecordType(recordType) === from);
        // The service may shorten a long list, so a record that is not in the list may still be related.
        if (back.some(({ records, total }) => total > records.length)) continue;
        tried++;
        if (back.some(({ records }) => records.some(({ id }) => id === recordId))) continue;
        yield deviation(
          `${relatedName} links back to ${KIND_KEYS[from].recordType} ${recordId} (listed in ${name})`,
          'no link back',
          exchange,
        );
      }
      if (tried === 0)
        throw new CheckNotApplicable(
          'no two kinds have relationships to each other, or the service shortened the lists of related records',
        );
    },
  },
  {
    id: 'relationships.alone',
    promise:
      'a relationship that is requested separately has the same records as in the response of its record',
    source: 'opac help interface, "Object records": one relationship and its related set of records',
    async *run(probe) {
      const record = await findRichRecord(probe, 'objects');
      const relationship = takeFirst(record.relationships, 'the examined object has no relationships');
      const name = `${relationship.id} of object ${record.id}`;
      const path = { [KIND_KEYS.objects.idKey]: record.id, relationshipId: relationship.id };
      const { value, exchange } = await probe.request('objects.relationship', { path });
      const own = readRelationship(value);
      // The service may shorten a long list in either response.
      if ([own, relationship].some(({ total, records }) => total > records.length)) return;
      const [expected, received] = [relationship, own].map(({ records }) => {
        const ids = records.map(({ id }) => id);
        return ids.toSorted().join(', ');
      });
      if (expected !== received)
        yield deviation(`${name} lists ${expected}`, received || 'no records', exchange);
    },
  },
];

interface RelationshipSample {
  /** The kind of the record that has the relationship. */
  readonly from: RecordKind;
  readonly recordId: string;
  /** For example `maker of object 20011`. */
  readonly name: string;
  readonly to: RecordKind;
  readonly relatedId: string;
  readonly relatedName: string;
}

/** Finds one relationship for each pair of kinds, on the first page of each kind. */
async function findSamples(probe: Probe): Promise<RelationshipSample[]> {
  const found = new Map<string, RelationshipSample>();
  for (const from of RECORD_KINDS) {
    const { records } = await requestFirstPage(probe, from);
    for (const { id: recordId, relationships } of records) {
      for (const { id, recordType, records: related } of relationships) {
        const to = kindOfRecordType(recordType);
        const relatedId = related[0]?.id;
        // One sample for each pair of kinds is enough: relationships.both-ways follows the relationship in both directions.
        if (!to || !relatedId || found.has(`${from} ${to}`) || found.has(`${to} ${from}`)) continue;
        if ((await requestFirstPage(probe, to)).total === 0) continue;
        const name = `${id} of ${KIND_KEYS[from].recordType} ${recordId}`;
        const relatedName = `${KIND_KEYS[to].recordType} ${relatedId}`;
        found.set(`${from} ${to}`, { from, recordId, name, to, relatedId, relatedName });
      }
    }
  }
  if (found.size === 0)
    throw new CheckNotApplicable('no record on the first pages has a related record in this service');
  return [...found.values()];
}

const fetchRelatedRecord = (probe: Probe, { to, relatedId }: RelationshipSample) =>
  probe.request(`${to}.get`, { path: { [KIND_KEYS[to].idKey]: relatedId } });

async function hasRelationships(probe: Probe, from: RecordKind, to: RecordKind): Promise<boolean> {
  const { items } = await probe.requestList(`${from}.relationships`);
  return items.map(readRelationship).some(({ recordType }) => kindOfRecordType(recordType) === to);
}
