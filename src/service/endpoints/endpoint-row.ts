/** The type of a row of the catalogue, and functions that create rows with ids and keys as literal types. */
import type { ItemType } from './items.js';

/** The source of a fact: documented in INTERFACE.md; observed on deployments, or likely by analogy (both FIELD-NOTES.md). */
export type Provenance = 'documented' | 'observed' | 'likely';

export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly origin: Provenance;
  readonly summary: string;
  readonly required?: true;
  readonly values?: readonly string[];
}

/** INTERFACE.md does not describe response bodies, so `origin` shows how reliable the keys are. */
export type ResponseShape = ListShape<string, string> | OneShape | BareShape<'redirect'> | BareShape<'token'>;

export interface ListShape<Key extends string, Total extends string> {
  readonly origin: Provenance;
  readonly shape: 'list';
  readonly key: Key;
  readonly total: Total;
  readonly item: ItemType;
}

export interface OneShape {
  readonly origin: Provenance;
  readonly shape: 'one';
  readonly item: ItemType;
}

interface BareShape<Shape extends string> {
  readonly origin: Provenance;
  readonly shape: Shape;
}

/** One endpoint, with its id and its response as literal types. */
export interface EndpointRow<Id extends string, Response extends ResponseShape> {
  /** Noun and part: `objects.search`, `venues.relationship`. */
  readonly id: Id;
  readonly method: 'GET' | 'POST';
  /** Template below `{base_url}/api/v3`, parameters in braces. */
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly response: Response;
  readonly summary: string;
  readonly origin: Provenance;
}

type Defaulted = 'method' | 'query' | 'origin';
type Draft<Id extends string, Response extends ResponseShape> = Omit<EndpointRow<Id, Response>, Defaulted> &
  Partial<Pick<EndpointRow<Id, Response>, Defaulted>>;

export function defineGet<const Id extends string, const Response extends ResponseShape>(
  draft: Draft<Id, Response>,
): EndpointRow<Id, Response> {
  return { method: 'GET', query: [], origin: 'documented', ...draft };
}

export function listResponse<const Key extends string, const Total extends string>(
  key: Key,
  total: Total,
  item: ItemType,
  origin: Provenance = 'likely',
): ListShape<Key, Total> {
  return { shape: 'list', key, total, item, origin };
}

export const itemResponse = (item: ItemType, origin: Provenance = 'likely'): OneShape => ({
  shape: 'one',
  item,
  origin,
});

const defineParameter =
  (type: Parameter['type']) =>
  (name: string, origin: Provenance, summary: string): Parameter => ({ name, type, origin, summary });
export const defineText = defineParameter('string');
export const defineBoolean = defineParameter('boolean');
export const defineInteger = defineParameter('integer');

export const defineRequired = (name: string, summary: string, values?: readonly string[]): Parameter => ({
  ...defineText(name, 'documented', summary),
  required: true,
  ...(values && { values }),
});
