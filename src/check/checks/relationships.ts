/** Relationships: the records they name exist, and point back where relationships run both ways. */
import { KIND_WORDS, kindOfRecordType, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import {
  type CollectionRecord,
  type Relationship,
  readRecord,
  readRelationship,
} from '../../service/records/record.js';
import type { Check } from '../check.js';
import { firstOf, firstPage, tellingRecord } from '../material/samples.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import { type Probe, Unanswered } from '../probe/probe.js';

const SOURCE = 'INTERFACE.md "What the service does": unidirectional or bidirectional relationships';

export const RELATIONSHIPS: readonly Check[] = [
  {
    id: 'relationships.exist',
    promise: 'related records exist',
    source: SOURCE,
    run: exist,
  },
  {
    id: 'relationships.both-ways',
    promise: 'related records point back, where both kinds have relationships to each other',
    source: SOURCE,
    deviation: 'warn',
    needs: ['relationships.exist'],
    run: pointBack,
  },
  {
    id: 'relationships.alone',
    promise: 'a relationship alone names the records it names in its record',
    source: 'INTERFACE.md "Object records": one relationship and its related set of records',
    run: alone,
  },
];

interface Tie {
  readonly from: RecordKind;
  readonly record: CollectionRecord;
  readonly relationship: Relationship;
  readonly to: RecordKind;
  readonly relatedId: string;
}

/** One relationship of each kind of record to each other kind, as far as the first pages have some. */
async function ties(probe: Probe): Promise<Tie[]> {
  const found = new Map<string, Tie>();
  for (const from of RECORD_KINDS) {
    const { records } = await firstPage(probe, from);
    for (const record of records) {
      for (const relationship of record.relationships) {
        const to = kindOfRecordType(relationship.recordType);
        const relatedId = relationship.records[0]?.id;
        if (!to || !relatedId || found.has(`${from} ${to}`)) continue;
        if ((await firstPage(probe, to)).total === 0) continue;
        found.set(`${from} ${to}`, { from, record, relationship, to, relatedId });
      }
    }
  }
  // One tie between two kinds is enough: it is checked from both sides.
  const chosen = [...found.values()].filter(
    ({ from, to }) => RECORD_KINDS.indexOf(from) <= RECORD_KINDS.indexOf(to) || !found.has(`${to} ${from}`),
  );
  if (chosen.length === 0)
    throw new NothingToTry('no record is related to a record of a kind that is published here');
  return chosen;
}

const follow = (probe: Probe, { to, relatedId }: Tie) =>
  probe.ask(`${to}.get`, { path: { [KIND_WORDS[to].idKey]: relatedId } });

const nameOf = ({ from, record, relationship }: Tie) =>
  `${relationship.id} of ${KIND_WORDS[from].recordType} ${record.id}`;

async function* exist(probe: Probe): AsyncGenerator<Deviation> {
  for (const tie of await ties(probe)) {
    try {
      await follow(probe, tie);
    } catch (error) {
      if (!(error instanceof Unanswered) || error.status !== 404) throw error;
      yield {
        expected: `${KIND_WORDS[tie.to].recordType} ${tie.relatedId}, which ${nameOf(tie)} names`,
        received: '404',
        at: error.at,
      };
    }
  }
}

async function* pointBack(probe: Probe): AsyncGenerator<Deviation> {
  let tried = 0;
  for (const tie of await ties(probe)) {
    const { from, to, relatedId, record } = tie;
    const { value, at } = await follow(probe, tie);
    const related = readRecord(value, to);
    if (!(await areMutual(probe, from, to))) continue;
    const back = related.relationships.filter(({ recordType }) => kindOfRecordType(recordType) === from);
    // A long list may be cut: a record that is not in it may still be related.
    if (back.some(({ records, total }) => total > records.length)) continue;
    tried++;
    if (!back.some(({ records }) => records.some(({ id }) => id === record.id)))
      yield {
        expected: `${KIND_WORDS[to].recordType} ${relatedId} points back to ${nameOf(tie)}`,
        received: 'it does not',
        at,
      };
  }
  if (tried === 0) throw new NothingToTry('no relationships run both ways');
}

/** Whether each of two kinds has relationships to the other, as the service lists them. */
async function areMutual(probe: Probe, one: RecordKind, other: RecordKind): Promise<boolean> {
  const leads = async (from: RecordKind, to: RecordKind) => {
    const { items } = await probe.list(`${from}.relationships`);
    return items.map(readRelationship).some(({ recordType }) => kindOfRecordType(recordType) === to);
  };
  return (await leads(one, other)) && (await leads(other, one));
}

async function* alone(probe: Probe): AsyncGenerator<Deviation> {
  const record = await tellingRecord(probe, 'objects');
  const relationship = firstOf(record.relationships, 'no object has relationships');
  const path = { [KIND_WORDS.objects.idKey]: record.id, relationshipId: relationship.id };
  const { value, at } = await probe.ask('objects.relationship', { path });
  const own = readRelationship(value);
  // A long list may be cut, here or there.
  if ([own, relationship].some(({ total, records }) => total > records.length)) return;
  const [expected, received] = [relationship, own].map(({ records }) =>
    records
      .map(({ id }) => id)
      .toSorted()
      .join(', '),
  );
  if (expected !== received)
    yield {
      expected: `${relationship.id} of object ${record.id} names ${expected}`,
      received: received || 'nobody',
      at,
    };
}
