/** The built-in data of the museum: records (with relationships in both directions), collections, highlights and comments. */
import type { Highlight } from '../../local/store.js';
import { KIND_KEYS, type RecordKind } from '../../service/kinds.js';
import { seededRandom } from '../random.js';
import { derivatives, image } from './images.js';
import { makeObject, type ObjectDraft } from './objects.js';
import { makePersons, type Person } from './persons.js';
import {
  createRecordJson,
  createSlug,
  type Image,
  type ImageDraft,
  type RecordDraft,
  type RelatedRecord,
  type Relationship,
  type UnlinkedDraft,
} from './record-json.js';
import { makeVenues } from './venues.js';
import { COLLECTIONS, COMMENTS, HIGHLIGHTS } from './words.js';

/** Not a multiple of 20 or 100, so that the last page of a list is short. */
const OBJECTS = 163;

export interface BuiltInRecord {
  readonly kind: RecordKind;
  readonly id: string;
  /** Creates the JSON when it is first needed, because most runs need only a few records. */
  readonly text: () => string;
}

interface BuiltInData {
  readonly records: readonly BuiltInRecord[];
  readonly collections: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
  }[];
  readonly highlights: readonly Highlight[];
  readonly comments: readonly object[];
}

let cachedData: BuiltInData | undefined;

/** The image URLs are paths. ../store.ts adds the start of the URLs. */
export function builtInData(): BuiltInData {
  cachedData ??= buildData();
  return cachedData;
}

function buildData(): BuiltInData {
  const persons = makePersons();
  const venues = makeVenues();
  const objects = Array.from({ length: OBJECTS }, (_, number) => makeObject(number, persons));
  const venuesOf = new Map(objects.map((object, number) => [object, chooseVenues(number, venues)]));
  const listObjects = (person: Person) => objects.filter(({ makers }) => makers.includes(person));
  const exhibitedIn = (venue: UnlinkedDraft) =>
    objects.filter((object) => venuesOf.get(object)?.includes(venue));
  const makersIn = new Map(
    venues.map((venue) => [venue, new Set(exhibitedIn(venue).flatMap(({ makers }) => makers))] as const),
  );
  const venuesOfPerson = (person: Person) => venues.filter((venue) => makersIn.get(venue)?.has(person));

  const drafts: RecordDraft[] = [
    ...objects.map((object, number) => ({
      ...object,
      relationships: createRelationships(
        [
          'object_prod_pri_person',
          'person',
          object.makers.map((person) => createRelatedWithRole(person, object)),
        ],
        ['object_exhibited_venue', 'venue', (venuesOf.get(object) ?? []).map(createRelatedRecord)],
        ['object_related_object', 'object', listRelatedObjects(number, objects)],
      ),
    })),
    ...persons.map((person) => ({
      ...person,
      relationships: createRelationships(
        [
          'person_prod_object',
          'object',
          listObjects(person).map((object) => createRelatedWithRole(object, object)),
        ],
        ['person_venue', 'venue', venuesOfPerson(person).map(createRelatedRecord)],
      ),
    })),
    ...venues.map((venue) => ({
      ...venue,
      relationships: createRelationships(
        ['venue_object', 'object', exhibitedIn(venue).map(createRelatedRecord)],
        [
          'venue_person',
          'person',
          persons.filter((person) => makersIn.get(venue)?.has(person)).map(createRelatedRecord),
        ],
      ),
    })),
  ];
  const createImage = createImageFactory(drafts);
  return {
    records: drafts.map((draft) => ({
      kind: draft.kind,
      id: draft.id,
      text: memoize(() => JSON.stringify(createRecordJson(draft, draft.images.map(createImage)))),
    })),
    collections: COLLECTIONS.map((collection, index) => ({ id: String(index + 1), ...collection })),
    highlights: HIGHLIGHTS.map(({ title, word }, index) => {
      const members = drafts.filter((draft) => draft.fields.classification?.[0]?.value.includes(word));
      const images = members.flatMap((member) => member.images).slice(0, 1);
      const recordIds = members.map(({ id }) => id);
      return { highlightId: String(index + 1), title, recordIds, images: images.map(createImage) };
    }),
    comments: createComments(drafts),
  };
}

function chooseVenues(number: number, venues: readonly UnlinkedDraft[]): UnlinkedDraft[] {
  return number % 5 === 0 ? seededRandom(number).sample(venues, 1 + (number % 2)) : [];
}

function createRelatedRecord({ id, title }: UnlinkedDraft): RelatedRecord {
  return { relatedRecordId: id, title, slug: createSlug(title) };
}

function createRelatedWithRole(record: UnlinkedDraft, { role }: ObjectDraft): RelatedRecord {
  return {
    ...createRelatedRecord(record),
    relatedRecordAttributes: [{ identifier: 'production_role', label: 'Role', values: [role] }],
  };
}

/** Object 0 lists object 1 in detail, and object 1 lists object 0 as a summary. So do objects 10 and 11, 20 and 21, and so on. */
function listRelatedObjects(number: number, objects: readonly ObjectDraft[]): RelatedRecord[] {
  const next = number % 10 === 0 ? objects[number + 1] : undefined;
  const previous = number % 10 === 1 ? objects[number - 1] : undefined;
  if (previous) return [{ ...createRelatedRecord(previous), key: 'internal_related_summary' }];
  if (!next) return [];
  const [shown] = next.images;
  const image = shown && {
    imageId: String(shown.imageId),
    imageDerivatives: derivatives(next.id, shown.imageId),
  };
  return [{ ...createRelatedRecord(next), key: 'internal_related_detail', ...(image && { image }) }];
}

function createRelationships(
  ...rows: readonly (readonly [string, string, readonly RelatedRecord[]])[]
): Relationship[] {
  return rows
    .map(([relationshipId, relatedRecordType, relatedRecords]) => ({
      relationshipId,
      relatedRecordType,
      relatedRecords,
    }))
    .filter(({ relatedRecords }) => relatedRecords.length > 0);
}

type Label = Readonly<Record<string, unknown>> & { readonly imageLabel: string };

/** Returns a function that creates an image. Each label of the image gets an id and the number of records with this label. */
function createImageFactory(drafts: readonly RecordDraft[]): (draft: ImageDraft) => Image {
  const counts = new Map<string, number>();
  for (const { images } of drafts)
    for (const label of new Set(images.flatMap(({ labels }) => labels)))
      counts.set(label, (counts.get(label) ?? 0) + 1);
  const names = [...counts.keys()].sort();
  return (draft) => {
    const created = image(draft);
    const imageLabels = (created.imageLabels as readonly Label[]).map((label) => ({
      imageLabelId: 611 + 17 * names.indexOf(label.imageLabel),
      ...label,
      count: counts.get(label.imageLabel),
    }));
    return { ...created, imageLabels };
  };
}

function memoize<Made>(make: () => Made): () => Made {
  let result: Made | undefined;
  return () => {
    result ??= make();
    return result;
  };
}

function createComments(drafts: readonly RecordDraft[]) {
  return Array.from({ length: 23 }, (_, index) => {
    const { kind, id } = drafts[(index * 37) % drafts.length] as RecordDraft;
    return {
      commentId: String(9001 + index),
      opacRecordId: id,
      recordType: KIND_KEYS[kind].recordType,
      comment: COMMENTS[index % COMMENTS.length] as string,
      name: index % 6 === 5 ? '' : `Visitor ${index + 1}`,
      dateCreated: `2024-${String(1 + (index % 12)).padStart(2, '0')}-11T09:30:00Z`,
    };
  });
}
