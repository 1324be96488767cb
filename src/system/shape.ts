/** Validates files that others may have written, where they are read. */
import { isObject } from '../service/json.js';

export type Shape = (value: unknown) => boolean;

export const text: Shape = (value) => typeof value === 'string';
export const flag: Shape = (value) => typeof value === 'boolean';
export const size: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** A plain file name: no folder, nothing that leads out of one. */
export const baseName: Shape = (value) => typeof value === 'string' && !/^\.{0,2}$|[/\\\0]/.test(value);

export const listOf =
  (item: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(item);

export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value);

export const orAbsent =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined || shape(value);

export const pair =
  (first: Shape, second: Shape): Shape =>
  (value) =>
    Array.isArray(value) && first(value[0]) && second(value[1]);

export const members =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    wrongMember(value, shapes) === undefined;

/** The first invalid member; undefined for none, an empty name for what is no object. */
export function wrongMember(value: unknown, shapes: Readonly<Record<string, Shape>>): string | undefined {
  if (!isObject(value)) return '';
  return Object.keys(shapes).find(
    (name) => !shapes[name]?.(Object.hasOwn(value, name) ? value[name] : undefined),
  );
}

/** How a search is sliced. */
export const slicePlan = members({
  total: size,
  window: orNull(size),
  sha256: text,
  slices: listOf(members({ total: size, offset: size, limit: size, records: size })),
  unreachable: listOf(members({ what: text, records: size })),
  next: orAbsent(text),
});
