/** What a row of the catalogue says of an endpoint, and the makers of rows, which keep ids and keys as literal types. */
import type { ItemType } from './items.js';

/** Where a piece of knowledge comes from: INTERFACE.md, seen on deployments, or likely by analogy (both FIELD-NOTES.md). */
export type Origin = 'documented' | 'observed' | 'likely';

export interface Parameter {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean';
  readonly origin: Origin;
  readonly summary: string;
  readonly required?: true;
  readonly values?: readonly string[];
}

/** The document shows no payload shapes, so `origin` says how sure the keys are. */
export type ResponseShape = ListShape<string, string> | OneShape | BareShape<'redirect'> | BareShape<'token'>;

export interface ListShape<Key extends string, Total extends string> {
  readonly origin: Origin;
  readonly shape: 'list';
  readonly key: Key;
  readonly total: Total;
  readonly item: ItemType;
}

export interface OneShape {
  readonly origin: Origin;
  readonly shape: 'one';
  readonly item: ItemType;
}

interface BareShape<Shape extends string> {
  readonly origin: Origin;
  readonly shape: Shape;
}

/** One endpoint, with its id and its shape as literal types. */
export interface Row<Id extends string, Response extends ResponseShape> {
  /** Noun and part: `objects.search`, `venues.relationship`. */
  readonly id: Id;
  readonly method: 'GET' | 'POST';
  /** Template below `{base_url}/api/v3`, parameters in braces. */
  readonly path: string;
  readonly query: readonly Parameter[];
  readonly response: Response;
  readonly summary: string;
  readonly origin: Origin;
}

type Defaulted = 'method' | 'query' | 'origin';
type Draft<Id extends string, Response extends ResponseShape> = Omit<Row<Id, Response>, Defaulted> &
  Partial<Pick<Row<Id, Response>, Defaulted>>;

export function get<const Id extends string, const Response extends ResponseShape>(
  draft: Draft<Id, Response>,
): Row<Id, Response> {
  return { method: 'GET', query: [], origin: 'documented', ...draft };
}

export function list<const Key extends string, const Total extends string>(
  key: Key,
  total: Total,
  item: ItemType,
  origin: Origin = 'likely',
): ListShape<Key, Total> {
  return { shape: 'list', key, total, item, origin };
}

export const one = (item: ItemType, origin: Origin = 'likely'): OneShape => ({ shape: 'one', item, origin });

const parameter =
  (type: Parameter['type']) =>
  (name: string, origin: Origin, summary: string): Parameter => ({ name, type, origin, summary });
export const text = parameter('string');
export const flag = parameter('boolean');
export const integer = parameter('integer');

export const required = (name: string, summary: string, values?: readonly string[]): Parameter => ({
  ...text(name, 'documented', summary),
  required: true,
  ...(values && { values }),
});
