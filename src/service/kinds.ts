/** The record kinds of the service and the words each uses on the wire (INTERFACE.md "Resource kinds", FIELD-NOTES.md "Answers"). */

/** What can be searched. `records` is all kinds together. */
export const KINDS = ['objects', 'persons', 'venues', 'records'] as const;
export type Kind = (typeof KINDS)[number];

/** The kinds a record itself can be of. */
export type RecordKind = Exclude<Kind, 'records'>;
export const RECORD_KINDS = ['objects', 'persons', 'venues'] as const satisfies readonly RecordKind[];

/** What the wire calls the parts of a kind. */
export interface KindWords {
  /** Path segment below `/api/v3`. */
  readonly segment: string;
  /** Value of `recordType`. */
  readonly recordType: string;
  readonly listKey: string;
  readonly totalKey: string;
  readonly idKey: string;
  readonly fieldSetsKey: string;
  readonly fieldsKey: string;
  readonly fieldAttributesKey: string;
  readonly scoreKey: string;
}

export const KIND_WORDS: Readonly<Record<Kind, KindWords>> = {
  objects: words('Object'),
  persons: words('Person'),
  venues: words('Venue'),
  records: words('Record'),
};

function words(Name: string): KindWords {
  const name = Name.toLowerCase();
  return {
    segment: `opac${name}s`,
    recordType: name,
    listKey: `opac${Name}s`,
    totalKey: `total${Name}s`,
    idKey: `opac${Name}Id`,
    fieldSetsKey: `opac${Name}FieldSets`,
    fieldsKey: `opac${Name}Fields`,
    fieldAttributesKey: `opac${Name}FieldAttributes`,
    scoreKey: `${name}SearchScore`,
  };
}

/** The kind of a record from its `recordType` (`object` → `objects`), or undefined for a kind we do not know. */
export function kindOfRecordType(recordType: string): RecordKind | undefined {
  return RECORD_KINDS.find((kind) => KIND_WORDS[kind].recordType === recordType.toLowerCase());
}
