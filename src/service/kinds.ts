/** The kinds of records, and their keys in requests and responses (INTERFACE.md "Resource kinds", FIELD-NOTES.md "Answers"). */

/** The kinds that can be searched. `records` means all kinds together. */
export const KINDS = ['objects', 'persons', 'venues', 'records'] as const;
/** A kind of records, or `records` for all kinds. */
export type Kind = (typeof KINDS)[number];

/** A kind of records. */
export type RecordKind = Exclude<Kind, 'records'>;
/** The kinds of records, without `records`. */
export const RECORD_KINDS = ['objects', 'persons', 'venues'] as const satisfies readonly RecordKind[];

export type RecordType = 'object' | 'person' | 'venue' | 'record';

export interface KindKeys<Type extends RecordType = RecordType> {
  readonly segment: `opac${Type}s`;
  readonly recordType: Type;
  readonly listKey: `opac${Capitalize<Type>}s`;
  readonly totalKey: `total${Capitalize<Type>}s`;
  readonly idKey: `opac${Capitalize<Type>}Id`;
  readonly fieldSetsKey: `opac${Capitalize<Type>}FieldSets`;
  readonly fieldsKey: `opac${Capitalize<Type>}Fields`;
  readonly fieldAttributesKey: `opac${Capitalize<Type>}FieldAttributes`;
  readonly scoreKey: `${Type}SearchScore`;
}

export const KIND_KEYS = {
  objects: createKindKeys('object'),
  persons: createKindKeys('person'),
  venues: createKindKeys('venue'),
  records: createKindKeys('record'),
} as const satisfies Record<Kind, KindKeys>;

function createKindKeys<const Type extends RecordType>(type: Type): KindKeys<Type> {
  const capitalized = `${type.charAt(0).toUpperCase()}${type.slice(1)}` as Capitalize<Type>;
  return {
    segment: `opac${type}s`,
    recordType: type,
    listKey: `opac${capitalized}s`,
    totalKey: `total${capitalized}s`,
    idKey: `opac${capitalized}Id`,
    fieldSetsKey: `opac${capitalized}FieldSets`,
    fieldsKey: `opac${capitalized}Fields`,
    fieldAttributesKey: `opac${capitalized}FieldAttributes`,
    scoreKey: `${type}SearchScore`,
  };
}

export function kindOfRecordType(recordType: string): RecordKind | undefined {
  return RECORD_KINDS.find((kind) => KIND_KEYS[kind].recordType === recordType.toLowerCase());
}
