/** Shapes of files that others may have written: checked where they are read, trusted from there on. */
import { isObject } from '../../service/json.js';

/** Says whether a value has the shape. */
export type Shape = (value: unknown) => boolean;

export const text: Shape = (value) => typeof value === 'string';
export const flag: Shape = (value) => typeof value === 'boolean';
/** A whole number from 0: bytes, records, offsets. */
export const size: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** The name of a file beside this one: no folder, no way out of this one. */
export const baseName: Shape = (value) => typeof value === 'string' && !/^\.{0,2}$|[/\\\0]/.test(value);

export const listOf =
  (item: Shape): Shape =>
  (value) =>
    Array.isArray(value) && value.every(item);

export const orNull =
  (shape: Shape): Shape =>
  (value) =>
    value === null || shape(value);

export const pair =
  (first: Shape, second: Shape): Shape =>
  (value) =>
    Array.isArray(value) && first(value[0]) && second(value[1]);

/** An object with these members; others are let through. */
export const members =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    wrongMember(value, shapes) === undefined;

/** The first member of another shape, undefined when all are right; an empty name when it is no object. */
export function wrongMember(value: unknown, shapes: Readonly<Record<string, Shape>>): string | undefined {
  if (!isObject(value)) return '';
  return Object.keys(shapes).find(
    (name) => !shapes[name]?.(Object.hasOwn(value, name) ? value[name] : undefined),
  );
}
