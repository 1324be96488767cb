/** The record kinds of the service and their names in requests and responses (INTERFACE.md "Resource kinds", FIELD-NOTES.md "Answers"). */

/** What a search can ask for; `records` stands for all kinds together. */
export const KINDS = ['objects', 'persons', 'venues', 'records'] as const;
export type Kind = (typeof KINDS)[number];

export type RecordKind = Exclude<Kind, 'records'>;
export const RECORD_KINDS = ['objects', 'persons', 'venues'] as const satisfies readonly RecordKind[];

export type RecordType = 'object' | 'person' | 'venue' | 'record';

export interface KindWords {
  readonly segment: string;
  readonly recordType: RecordType;
  readonly listKey: string;
  readonly totalKey: string;
  readonly idKey: string;
  readonly fieldSetsKey: string;
  readonly fieldsKey: string;
  readonly fieldAttributesKey: string;
  readonly scoreKey: string;
}

export const KIND_WORDS: Readonly<Record<Kind, KindWords>> = {
  objects: words('object'),
  persons: words('person'),
  venues: words('venue'),
  records: words('record'),
};

function words(name: RecordType): KindWords {
  const Name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
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

/** The kind of a record from its `recordType` (`object` → `objects`), or undefined for an unknown kind. */
export function kindOfRecordType(recordType: string): RecordKind | undefined {
  return RECORD_KINDS.find((kind) => KIND_WORDS[kind].recordType === recordType.toLowerCase());
}
