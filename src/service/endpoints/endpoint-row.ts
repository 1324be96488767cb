/** The type of a row of the catalogue, and functions that create rows. The functions keep ids and keys as literal types. */
import type { ItemType } from './items.js';

/** The source of a fact: INTERFACE.md (`documented`), deployments (`observed`), or similar endpoints (`likely`). */
export type Provenance = 'documented' | 'observed' | 'likely';

export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly origin: Provenance;
  readonly summary: string;
  readonly required?: true;
  readonly values?: readonly string[];
}

/** `origin`: the source of the keys in the body. INTERFACE.md describes only one response body: that of the token. */
export type ResponseShape =
  | ListShape<string, string>
  | ItemShape
  | OtherShape<'redirect'>
  | OtherShape<'token'>;

export interface ListShape<Key extends string, Total extends string> {
  readonly origin: Provenance;
  readonly shape: 'list';
  readonly key: Key;
  readonly total: Total;
  readonly item: ItemType;
}

export interface ItemShape {
  readonly origin: Provenance;
  readonly shape: 'one';
  readonly item: ItemType;
}

interface OtherShape<Shape extends string> {
  readonly origin: Provenance;
  readonly shape: Shape;
}

export interface EndpointRow<Id extends string, Response extends ResponseShape> {
  /** For example `objects.search`. */
  readonly id: Id;
  readonly method: 'GET' | 'POST';
  /** The path after `{base_url}/api/v3`, for example `/opacobjects/{opacObjectId}`. */
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly response: Response;
  readonly summary: string;
  readonly origin: Provenance;
}

type OptionalKey = 'method' | 'query' | 'origin';
type RowInput<Id extends string, Response extends ResponseShape> = Omit<
  EndpointRow<Id, Response>,
  OptionalKey
> &
  Partial<Pick<EndpointRow<Id, Response>, OptionalKey>>;

export function defineGet<const Id extends string, const Response extends ResponseShape>(
  input: RowInput<Id, Response>,
): EndpointRow<Id, Response> {
  return { method: 'GET', query: [], origin: 'documented', ...input };
}

export function listResponse<const Key extends string, const Total extends string>(
  key: Key,
  total: Total,
  item: ItemType,
  origin: Provenance = 'likely',
): ListShape<Key, Total> {
  return { shape: 'list', key, total, item, origin };
}

export const itemResponse = (item: ItemType, origin: Provenance = 'likely'): ItemShape => ({
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

export const defineRequiredText = (name: string, summary: string, values?: readonly string[]): Parameter => ({
  ...defineText(name, 'documented', summary),
  required: true,
  ...(values && { values }),
});
