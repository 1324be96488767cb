/** A comparison as rows: one a changed value, one for a record that was added or removed. */
import { cellPrinter, DEFAULT_MULTI } from '../../records/cells/multi.js';
import type { Difference } from '../difference.js';

const print = cellPrinter(DEFAULT_MULTI);

export function rowHead(context: readonly string[]): readonly string[] {
  return ['kind', 'id', 'title', 'record', 'field', 'change', 'old', 'new', ...context];
}

export function rowsOf(difference: Difference): readonly (readonly string[])[] {
  const { kind, id, title, change, asked, changes, context } = difference;
  const before = [kind, id, title, asked ?? change];
  const behind = Object.values(context).map((values) => print(values));
  if (changes.length === 0) return [[...before, '', '', '', '', ...behind]];
  return changes.map((each) => [
    ...before,
    each.field,
    each.change,
    print(each.old),
    print(each.new),
    ...behind,
  ]);
}

/** A difference as JSON. */
export function differenceJson({ kind, id, title, change, asked, changes, context }: Difference): string {
  const isContext = Object.keys(context).length > 0;
  return JSON.stringify({
    kind,
    id,
    title,
    change,
    ...(asked && { asked }),
    changes,
    ...(isContext && { context }),
  });
}
