/** What changed between two states of a record: part by part, lists as lists. */
import { DEFAULT_MULTI } from '../records/cells/multi-value-rule.js';
import {
  type ComparableItem,
  type ComparableRecord,
  type ComparableValue,
  type ItemList,
  toComparableRecord,
  unlisted,
} from './comparable-record.js';
import { type Noise, stripVolatileUrlParts } from './noise.js';
import type { SnapshotRecord, Table } from './snapshot-record.js';

export const CHANGE_KINDS = ['added', 'removed', 'changed', 'moved'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface EntryRewriter {
  /** A field, `field@attribute`, `image.<id>`, `relationship.<relationshipId>.<id>`, or a part of these. */
  readonly field: string;
  readonly change: ChangeKind;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

export interface ChangeOptions {
  readonly include?: ReadonlySet<Noise> | undefined;
  /** Whether a field is compared at all. Default: all are. */
  readonly isCompared?: ((field: string) => boolean) | undefined;
  /** Columns to compare also where the parts of a record have other names: `title`, `label`, `image.url`. */
  readonly columns?: readonly string[] | undefined;
}

/** The changes from one state to the other, in the order of the newer; `[]` when only noise differs. */
export function findChanges(
  older: SnapshotRecord,
  newer: SnapshotRecord,
  tables: readonly (Table | undefined)[] = [],
  { include = new Set(), isCompared = () => true, columns = [] }: ChangeOptions = {},
): EntryRewriter[] {
  const isRaw = older.raw !== undefined && newer.raw !== undefined;
  const found = isRaw
    ? partChanges(toComparableRecord(older, include), toComparableRecord(newer, include), include)
    : columnChanges(older, newer, tables, include);
  const more = columns
    .filter((name) => isRaw && !found.some(({ field }) => matchesFieldName(field, [name])))
    .flatMap((name) =>
      listChange(
        name,
        older.values(name) ?? [],
        newer.values(name) ?? [],
        createUrlNormalizer(name, include),
      ),
    );
  return withoutRepeats([...found, ...more].filter(({ field }) => isCompared(field)));
}

/** A title is made from a field, and an attribute may repeat its value: one edit is one change. */
function withoutRepeats(changes: readonly EntryRewriter[]): EntryRewriter[] {
  return changes.filter((change) => {
    const { field, old: before, new: after } = change;
    const value = field.replace(/@[^@]*$/, '');
    return !changes.some(
      (other) =>
        other !== change &&
        (field === 'title'
          ? other.change === change.change &&
            [before, after].every(([text = ''], n) => sides(other)[n]?.includes(text))
          : other.field === value && isSame(other.old, before) && isSame(other.new, after)),
    );
  });
}

const sides = (change: EntryRewriter) => [change.old, change.new];

/** Whether the field, or what it is a part of, goes by one of the names: `image` is all of `image.7.caption`. */
export function matchesFieldName(field: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const rest = field.startsWith(name) ? field.slice(name.length) : '?';
    return rest === '' || /^[.@[]/.test(rest);
  });
}

function partChanges(
  older: ComparableRecord,
  newer: ComparableRecord,
  include: ReadonlySet<Noise>,
): EntryRewriter[] {
  const changes: EntryRewriter[] = [];
  for (const name of union(newer.parts, older.parts)) {
    const [one, other] = [older.parts.get(name), newer.parts.get(name)];
    const owner = one && other && one.owner !== other.owner ? undefined : (other ?? one)?.owner;
    if (owner !== undefined && isNews(owner, older, newer)) continue;
    const [before, after] = [one?.values ?? [], other?.values ?? []];
    const spelling = newer.items.has(owner ?? '') ? createUrlNormalizer('image.', include) : undefined;
    changes.push(
      ...listChange(name, before.map(textOf), after.map(textOf), spelling),
      ...attributeChanges(name, before, after),
    );
  }
  for (const name of union(newer.items, older.items)) {
    const [before, after] = [older.items.get(name), newer.items.get(name)];
    if (!(before && after)) changes.push(itemChange(name, before, after));
  }
  for (const name of union(newer.lists, older.lists))
    changes.push(...totalChange(name, older.lists.get(name), newer.lists.get(name)));
  return [...changes, ...findMoves(older.items, newer.items)];
}

/** Whether an item, or a list with items, came or went: then its parts are no changes of their own. */
function isNews(owner: string, { items, lists }: ComparableRecord, newer: ComparableRecord): boolean {
  if (items.has(owner) || newer.items.has(owner)) return items.has(owner) !== newer.items.has(owner);
  const [before, after] = [lists.get(owner), newer.lists.get(owner)];
  return !(before && after) && ((before ?? after)?.listed ?? 0) > 0;
}

const NOTHING: ItemList = { listed: 0, totalKey: '', total: '' };

/** A total that grew with its list is no change of its own. */
function totalChange(name: string, before = NOTHING, after = NOTHING): EntryRewriter[] {
  if (before.total === after.total || unlisted(before) === unlisted(after)) return [];
  return listChange(`${name}@${after.totalKey || before.totalKey}`, [before.total], [after.total]);
}

/** One that is only there before, or only after; an item without any text is still an item. */
function itemChange(
  field: string,
  before: ComparableItem | undefined,
  after: ComparableItem | undefined,
): EntryRewriter {
  const labels = (item: ComparableItem | undefined) => (item ? [item.label] : []);
  return { field, change: before ? 'removed' : 'added', old: labels(before), new: labels(after) };
}

/** How addresses of images are compared: without what passes, unless asked for. */
function createUrlNormalizer(name: string, include: ReadonlySet<Noise>): (text: string) => string {
  if (include.has('urls') || !name.startsWith('image.')) return (text) => text;
  return (text) =>
    text.includes('://') ? text.replace(/https?:\/\/[^\s"\\]+/gi, stripVolatileUrlParts) : text;
}

/** Attributes belong to their values: value by value, in their order, where they differ. */
function attributeChanges(
  field: string,
  before: readonly ComparableValue[],
  after: readonly ComparableValue[],
): EntryRewriter[] {
  const keys = new Set([...before, ...after].flatMap(({ attributes }) => [...attributes.keys()]));
  const pairs = keys.size === 0 ? [] : pairEqualValues(before, after);
  return [...keys].flatMap((key) => {
    const values = pairs.map((pair) => pair.map((value) => value?.attributes.get(key) ?? ''));
    const differing = values.filter(([one, other]) => one !== other);
    const side = (n: number) => differing.map((pair) => pair[n] ?? '');
    return listChange(`${field}@${key}`, side(0), side(1));
  });
}

type Pair = readonly [ComparableValue | undefined, ComparableValue | undefined];

/** Values with the same text, the first with the first; then the others as they stand, which replaced each other. */
function pairEqualValues(
  before: readonly ComparableValue[],
  after: readonly ComparableValue[],
): readonly Pair[] {
  const left = [...before];
  const same = after.map(({ text }) => {
    const at = left.findIndex((value) => value.text === text);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  });
  const pairs = after.map((value, n): Pair => [same[n] ?? left.shift(), value]);
  return [...pairs, ...left.map((value): Pair => [value, undefined])];
}

/** The order of images, and of the related records of each relationship, among those that stayed. */
function findMoves(older: ComparableRecord['items'], newer: ComparableRecord['items']): EntryRewriter[] {
  const orders = (items: ComparableRecord['items'], others: ComparableRecord['items']) => {
    const groups = new Map<string, string[]>();
    for (const [name, { group, id }] of items)
      if (others.has(name)) groups.set(group, [...(groups.get(group) ?? []), id]);
    return groups;
  };
  const before = orders(older, newer);
  return [...orders(newer, older)].flatMap(([group, after]) =>
    listChange(group, before.get(group) ?? [], after),
  );
}

function columnChanges(
  older: SnapshotRecord,
  newer: SnapshotRecord,
  tables: readonly (Table | undefined)[],
  include: ReadonlySet<Noise>,
): EntryRewriter[] {
  const names = [...new Set(tables.flatMap((table) => table?.columns ?? []))];
  const [rule = DEFAULT_MULTI, other = rule] = tables.flatMap((table) => table?.rule ?? []);
  const isOneRule = JSON.stringify(rule) === JSON.stringify(other);
  return names.flatMap((name) => {
    const [before, after] = [older.values(name), newer.values(name)];
    if (name === 'id' || !before || !after) return [];
    // A table holds less than the record that it was made from: cells are compared, where one rule made them.
    const known = isOneRule ? newer.cells(name, rule) : [];
    if (isOneRule && older.cells(name, rule).some((cell) => known.includes(cell))) return [];
    return listChange(name, before, after, createUrlNormalizer(name, include));
  });
}

function listChange(
  field: string,
  before: readonly string[],
  after: readonly string[],
  spelling: (text: string) => string = (text) => text,
): EntryRewriter[] {
  const change = kindOfChange(before.map(spelling), after.map(spelling));
  return change ? [{ field, change, old: before, new: after }] : [];
}

function kindOfChange(before: readonly string[], after: readonly string[]): ChangeKind | undefined {
  if (isSame(before, after)) return undefined;
  const [had, has] = [before, after].map((list) => list.some((text) => text !== ''));
  if (had && has) return isSame(before.toSorted(), after.toSorted()) ? 'moved' : 'changed';
  if (had || has) return had ? 'removed' : 'added';
  // Empty values that have attributes are counted; one empty value is the same as none.
  return before.length > 0 && after.length > 0 ? 'changed' : undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, n) => text === other[n]);
}

function textOf({ text }: ComparableValue): string {
  return text;
}

function union(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])];
}
