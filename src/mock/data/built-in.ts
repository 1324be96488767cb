/** The built-in museum as a whole: its records with their relationships tied both ways, and what is not a record. */
import type { RecordKind } from '../../service/kinds.js';
import { seededRandom } from '../random.js';
import { derivatives, image } from './images.js';
import { makeObject, type ObjectDraft } from './objects.js';
import { makePersons, type Person } from './persons.js';
import type { ImageDraft } from './record-json.js';
import {
  type Image,
  type RecordDraft,
  type RelatedRecord,
  type Relationship,
  recordJson,
  slug,
} from './record-json.js';
import { makeVenues } from './venues.js';
import { COLLECTIONS, COMMENTS, HIGHLIGHTS } from './words.js';

/** Neither a multiple of 20 nor of 100, so that last pages are short. */
const OBJECTS = 163;

/** A record whose text is made when it is first asked for: of most runs only a few are. */
export interface BuiltInRecord {
  readonly kind: RecordKind;
  readonly id: string;
  readonly text: () => string;
}

export interface Highlight {
  readonly highlightId: string;
  readonly title: string;
  readonly recordIds: readonly string[];
  readonly images: readonly Image[];
}

export interface Comment {
  readonly commentId: string;
  readonly opacRecordId: string;
  readonly recordType: string;
  readonly comment: string;
  readonly name: string;
  readonly dateCreated: string;
}

export interface BuiltInData {
  readonly records: readonly BuiltInRecord[];
  readonly collections: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
  }[];
  readonly highlights: readonly Highlight[];
  readonly comments: readonly Comment[];
}

type Untied = Omit<RecordDraft, 'relationships'>;

let made: BuiltInData | undefined;

/** The museum; made once a process. URLs of images are relative to the address it will be served at. */
export function builtInData(): BuiltInData {
  made ??= build();
  return made;
}

function build(): BuiltInData {
  const persons = makePersons();
  const venues = makeVenues();
  const objects = Array.from({ length: OBJECTS }, (_, number) => makeObject(number, persons));
  const venuesOf = new Map(objects.map((object, number) => [object, shownAt(number, venues)]));
  const objectsOf = (person: Untied) =>
    objects.filter(({ makers }) => makers.some(({ id }) => id === person.id));
  const shownIn = (venue: Untied) => objects.filter((object) => venuesOf.get(object)?.includes(venue));
  const makersIn = new Map(
    venues.map((venue) => [venue, new Set(shownIn(venue).flatMap(({ makers }) => makers))] as const),
  );
  const venuesOfPerson = (person: Person) => venues.filter((venue) => makersIn.get(venue)?.has(person));

  const drafts: RecordDraft[] = [
    ...objects.map((object, number) => ({
      ...object,
      relationships: tie(
        ['object_prod_pri_person', 'person', object.makers.map((person) => withRole(person, object))],
        ['object_exhibited_venue', 'venue', (venuesOf.get(object) ?? []).map(related)],
        ['object_related_object', 'object', kin(number, objects)],
      ),
    })),
    ...persons.map((person) => ({
      ...person,
      relationships: tie(
        ['person_prod_object', 'object', objectsOf(person).map((object) => withRole(object, object))],
        ['person_venue', 'venue', venuesOfPerson(person).map(related)],
      ),
    })),
    ...venues.map((venue) => ({
      ...venue,
      relationships: tie(
        ['venue_object', 'object', shownIn(venue).map(related)],
        ['venue_person', 'person', persons.filter((person) => makersIn.get(venue)?.has(person)).map(related)],
      ),
    })),
  ];
  const draw = drawing(drafts);
  return {
    records: drafts.map((draft) => ({
      kind: draft.kind,
      id: draft.id,
      text: once(() => JSON.stringify(recordJson(draft, draft.images.map(draw)))),
    })),
    collections: COLLECTIONS.map(({ name, description }, index) => ({
      id: String(index + 1),
      name,
      description,
    })),
    highlights: HIGHLIGHTS.map(({ title, word }, index) => {
      const members = drafts.filter((draft) => draft.fields.classification?.[0]?.value.includes(word));
      return {
        highlightId: String(index + 1),
        title,
        recordIds: members.map(({ id }) => id),
        images: members
          .flatMap(({ images }) => images)
          .slice(0, 1)
          .map(draw),
      };
    }),
    comments: comments(drafts),
  };
}

/** Every fifth object was on show, at one venue or two. */
function shownAt(number: number, venues: readonly Untied[]): Untied[] {
  return number % 5 === 0 ? seededRandom(number).sample(venues, 1 + (number % 2)) : [];
}

function related({ id, title }: Untied): RelatedRecord {
  return { relatedRecordId: id, title, slug: slug(title) };
}

function withRole(record: Untied, { role }: ObjectDraft): RelatedRecord {
  return {
    ...related(record),
    relatedRecordAttributes: [{ identifier: 'production_role', label: 'Role', values: [role] }],
  };
}

/** Neighbours by number, every tenth with the next: the one in detail (with an image), the other in summary. */
function kin(number: number, objects: readonly ObjectDraft[]): RelatedRecord[] {
  const [partner, key] =
    number % 10 === 0
      ? ([objects[number + 1], 'internal_related_detail'] as const)
      : ([number % 10 === 1 ? objects[number - 1] : undefined, 'internal_related_summary'] as const);
  if (!partner) return [];
  const shown = key === 'internal_related_detail' ? partner.images[0] : undefined;
  return [
    {
      ...related(partner),
      key,
      ...(shown && {
        image: { imageId: String(shown.imageId), imageDerivatives: derivatives(partner.id, shown.imageId) },
      }),
    },
  ];
}

function tie(...rows: readonly (readonly [string, string, readonly RelatedRecord[]])[]): Relationship[] {
  return rows
    .filter(([, , relatedRecords]) => relatedRecords.length > 0)
    .map(([relationshipId, relatedRecordType, relatedRecords]) => ({
      relationshipId,
      relatedRecordType,
      relatedRecords,
    }));
}

type Label = Readonly<Record<string, unknown>> & { readonly imageLabel: string };

/** Draws the images of these records: every label gets its number and how many of the records carry it. */
function drawing(drafts: readonly RecordDraft[]): (draft: ImageDraft) => Image {
  const counts = new Map<string, number>();
  for (const { images } of drafts) {
    for (const label of new Set(images.flatMap(({ labels }) => labels))) {
      counts.set(label, (counts.get(label) ?? 0) + 1);
    }
  }
  const ids = new Map([...counts.keys()].sort().map((label, index) => [label, 611 + 17 * index]));
  return (draft) => {
    const drawn = image(draft);
    return {
      ...drawn,
      imageLabels: (drawn.imageLabels as readonly Label[]).map((label) => ({
        imageLabelId: ids.get(label.imageLabel),
        ...label,
        count: counts.get(label.imageLabel),
      })),
    };
  };
}

/** The same, made at the first call. */
function once<Made>(make: () => Made): () => Made {
  let result: Made | undefined;
  return () => {
    result ??= make();
    return result;
  };
}

function comments(drafts: readonly RecordDraft[]): Comment[] {
  const recordTypes = { objects: 'object', persons: 'person', venues: 'venue' } as const;
  return Array.from({ length: 23 }, (_, index) => {
    const { kind, id } = drafts[(index * 37) % drafts.length] as RecordDraft;
    return {
      commentId: String(9001 + index),
      opacRecordId: id,
      recordType: recordTypes[kind],
      comment: COMMENTS[index % COMMENTS.length] as string,
      name: index % 6 === 5 ? '' : `Visitor ${index + 1}`,
      dateCreated: `2024-${String(1 + (index % 12)).padStart(2, '0')}-11T09:30:00Z`,
    };
  });
}
