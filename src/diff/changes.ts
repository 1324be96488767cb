/** Finds the changes between two versions of a record. Fields match by name; images and related records match by id. */
import { isDeepStrictEqual } from 'node:util';
import { toSingleLine } from '../records/cells/dialect.js';
import { DEFAULT_MULTI, SHEET_MULTI } from '../records/cells/multi-value-rule.js';
import { getOrAddList } from '../service/get-or-add-list.js';
import {
  type ComparableItem,
  type ComparableRecord,
  type ComparableValue,
  countUnlisted,
  type ItemList,
  toComparableRecord,
} from './comparable-record.js';
import { type Noise, stripVolatileUrlParts } from './noise.js';
import type { SnapshotRecord, Table } from './snapshot-record.js';

/** `moved`: only the order of the values or items differs. */
export const CHANGE_KINDS = ['added', 'removed', 'changed', 'moved'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A change of one field, with its older and newer values. */
export interface FieldChange {
  /**
   * A field, `field@attribute`, `image.<id>`, `relationship.<relationshipId>.<id>`, or a part of one of these. Can also be a
   * list whose order changed (`image`), a total (`image@totalImages`), or a column of a table.
   */
  readonly field: string;
  readonly change: ChangeKind;
  readonly old: readonly string[];
  readonly new: readonly string[];
}

export interface ChangeOptions {
  /** The types of noise (noise.ts) that count as changes. Default: none. */
  readonly include?: ReadonlySet<Noise> | undefined;
  readonly isCompared?: ((field: string) => boolean) | undefined;
  /** For records in JSON: further columns to compare, such as `title`. A column can combine several fields. */
  readonly columns?: readonly string[] | undefined;
}

/** Returns `[]` if only noise differs. For a row of a table, compares only the columns that all `tables` can contain. */
export function findChanges(...versions: Parameters<typeof findChangesInSteps>): FieldChange[] {
  const steps = findChangesInSteps(...versions);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

const PARTS_BETWEEN_STEPS = 5_000;

/** Like `findChanges`, but yields between steps, so that the caller can pause: a record with 100,000 parts takes seconds. */
export function* findChangesInSteps(
  older: SnapshotRecord,
  newer: SnapshotRecord,
  tables: readonly (Table | undefined)[] = [],
  { include = new Set(), isCompared = () => true, columns = [] }: ChangeOptions = {},
): Generator<void, FieldChange[]> {
  const isRaw = older.raw !== undefined && newer.raw !== undefined;
  const found = isRaw
    ? yield* findPartChanges(older, newer, include)
    : findColumnChanges(older, newer, tables, include);
  const more = columns
    .filter((name) => isRaw && !found.some(({ field }) => matchesFieldName(field, [name])))
    .flatMap((name) =>
      compareLists(
        name,
        older.values(name) ?? [],
        newer.values(name) ?? [],
        createUrlNormalizer(name, include),
      ),
    );
  return removeRepeatedChanges([...found, ...more].filter(({ field }) => isCompared(field)));
}

/** Removes repeated changes: an edit of a field may also change the title, or an attribute with the same text. */
function removeRepeatedChanges(changes: readonly FieldChange[]): FieldChange[] {
  const byField = new Map<string, FieldChange[]>();
  for (const change of changes) getOrAddList(byField, change.field).push(change);
  return changes.filter((change) => {
    const { field, old: before, new: after } = change;
    const hasTexts = (other: FieldChange) =>
      other.change === change.change &&
      other.old.includes(before[0] ?? '') &&
      other.new.includes(after[0] ?? '');
    if (field === 'title') return !changes.some((other) => other !== change && hasTexts(other));
    const others = byField.get(field.replace(/@[^@]*$/, '')) ?? [];
    return !others.some((other) => other !== change && isSame(other.old, before) && isSame(other.new, after));
  });
}

/** Whether a field or its parent has one of the names: `image` matches `image.7.caption`. */
export function matchesFieldName(field: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const rest = field.startsWith(name) ? field.slice(name.length) : '?';
    return rest === '' || /^[.@[]/.test(rest);
  });
}

/** Returns a test for fields that match `fields` and not `ignore` (`matchesFieldName`). An empty `fields` matches all. */
export function createFieldTest(
  fields: readonly string[],
  ignore: readonly string[],
): (field: string) => boolean {
  return (field) =>
    !matchesFieldName(field, ignore) && (fields.length === 0 || matchesFieldName(field, fields));
}

function* findPartChanges(
  olderRecord: SnapshotRecord,
  newerRecord: SnapshotRecord,
  include: ReadonlySet<Noise>,
): Generator<void, FieldChange[]> {
  const older = toComparableRecord(olderRecord, include);
  if (older.parts.size > PARTS_BETWEEN_STEPS) yield;
  const newer = toComparableRecord(newerRecord, include);
  const changes: FieldChange[] = [];
  for (const [n, name] of joinKeys(newer.parts, older.parts).entries()) {
    if (n % PARTS_BETWEEN_STEPS === PARTS_BETWEEN_STEPS - 1) yield;
    const [one, other] = [older.parts.get(name), newer.parts.get(name)];
    const owner = one && other && one.owner !== other.owner ? undefined : (other ?? one)?.owner;
    if (owner !== undefined && isAddedOrRemoved(owner, older, newer)) continue;
    const [before, after] = [one?.values ?? [], other?.values ?? []];
    const normalize = newer.items.has(owner ?? '') ? createUrlNormalizer('image.', include) : undefined;
    const own = compareLists(name, before.map(getText), after.map(getText), normalize);
    for (const change of own) changes.push(change);
    for (const change of compareAttributes(name, before, after)) changes.push(change);
  }
  for (const name of joinKeys(newer.items, older.items)) {
    const [before, after] = [older.items.get(name), newer.items.get(name)];
    if (!(before && after)) changes.push(createItemChange(name, before, after));
  }
  for (const name of joinKeys(newer.lists, older.lists))
    changes.push(...compareTotals(name, older.lists.get(name), newer.lists.get(name)));
  if (changes.length > PARTS_BETWEEN_STEPS) yield;
  return [...changes, ...findMoves(older.items, newer.items)];
}

/** Whether an image, related record or list was added or removed. If so, opac does not report the changes of its parts. */
function isAddedOrRemoved(
  owner: string,
  { items, lists }: ComparableRecord,
  newer: ComparableRecord,
): boolean {
  if (items.has(owner) || newer.items.has(owner)) return items.has(owner) !== newer.items.has(owner);
  const [before, after] = [lists.get(owner), newer.lists.get(owner)];
  return !(before && after) && ((before ?? after)?.listed ?? 0) > 0;
}

const EMPTY_LIST: ItemList = { listed: 0, totalKey: '', total: '' };

/** Ignores a change of the total if the number of listed items changed by the same amount. */
function compareTotals(name: string, before = EMPTY_LIST, after = EMPTY_LIST): FieldChange[] {
  if (before.total === after.total || countUnlisted(before) === countUnlisted(after)) return [];
  return compareLists(`${name}@${after.totalKey || before.totalKey}`, [before.total], [after.total]);
}

function createItemChange(
  field: string,
  before: ComparableItem | undefined,
  after: ComparableItem | undefined,
): FieldChange {
  const labels = (item: ComparableItem | undefined) => (item ? [item.label] : []);
  return { field, change: before ? 'removed' : 'added', old: labels(before), new: labels(after) };
}

function createUrlNormalizer(name: string, include: ReadonlySet<Noise>): (text: string) => string {
  if (include.has('urls') || !name.startsWith('image.')) return (text) => text;
  return (text) =>
    text.includes('://') ? text.replace(/https?:\/\/[^\s"\\]+/gi, stripVolatileUrlParts) : text;
}

function compareAttributes(
  field: string,
  before: readonly ComparableValue[],
  after: readonly ComparableValue[],
): FieldChange[] {
  const sides = new Map<string, readonly [string[], string[]]>();
  for (const { attributes } of [...before, ...after])
    for (const key of attributes.keys()) if (!sides.has(key)) sides.set(key, [[], []]);
  for (const pair of sides.size === 0 ? [] : pairEqualValues(before, after))
    for (const key of new Set(pair.flatMap((value) => [...(value?.attributes.keys() ?? [])]))) {
      const [one = '', other = ''] = pair.map((value) => value?.attributes.get(key));
      if (one === other) continue;
      sides.get(key)?.[0].push(one);
      sides.get(key)?.[1].push(other);
    }
  return [...sides].flatMap(([key, [one, other]]) => compareLists(`${field}@${key}`, one, other));
}

type Pair = readonly [ComparableValue | undefined, ComparableValue | undefined];

/** Pairs values with the same text, and then the remaining values in their order. */
function pairEqualValues(
  before: readonly ComparableValue[],
  after: readonly ComparableValue[],
): readonly Pair[] {
  const byText = new Map<string, ComparableValue[]>();
  for (const value of before.toReversed()) getOrAddList(byText, value.text).push(value);
  const same = after.map(({ text }) => byText.get(text)?.pop());
  const paired = new Set(same);
  const left = before.filter((value) => !paired.has(value)).values();
  const pairs = after.map((value, n): Pair => [same[n] ?? left.next().value, value]);
  return [...pairs, ...[...left].map((value): Pair => [value, undefined])];
}

function findMoves(older: ComparableRecord['items'], newer: ComparableRecord['items']): FieldChange[] {
  const listCommonIds = (items: ComparableRecord['items'], others: ComparableRecord['items']) => {
    const groups = new Map<string, string[]>();
    for (const [name, { group, id }] of items) if (others.has(name)) getOrAddList(groups, group).push(id);
    return groups;
  };
  const before = listCommonIds(older, newer);
  return [...listCommonIds(newer, older)].flatMap(([group, after]) =>
    compareLists(group, before.get(group) ?? [], after),
  );
}

function findColumnChanges(
  older: SnapshotRecord,
  newer: SnapshotRecord,
  tables: readonly (Table | undefined)[],
  include: ReadonlySet<Noise>,
): FieldChange[] {
  const names = [...new Set(tables.flatMap((table) => table?.columns ?? []))].filter((name) =>
    isInBothTables(name, tables),
  );
  const own = tables.flatMap((table) => table?.rule ?? []);
  const [rule = DEFAULT_MULTI, other = rule] = own;
  // A program may have saved a workbook as CSV, or CSV as a workbook. The cells still have the separators of the export.
  const defaults = [DEFAULT_MULTI, SHEET_MULTI];
  const isDefault = [rule, other].every((each) => defaults.some((known) => isDeepStrictEqual(known, each)));
  const isSameRule = isDeepStrictEqual(rule, other);
  // If two tables have manifests with the same rule, the rule is certain. Otherwise, a default rule may be a wrong guess.
  const areKnown = own.length > 1 && tables.every((table) => table?.isRuleKnown);
  const mayHaveOtherDefault = isDefault && !(isSameRule && areKnown);
  // Cells in JSON (`--multi json`) contain all values, so opac can format them with the rule of the other table.
  const joined = [rule, other].filter((each) => each.rule !== 'json');
  const rules = mayHaveOtherDefault ? defaults : isSameRule ? [rule] : joined.length === 1 ? joined : [];
  const toText = createTextNormalizer(tables);
  return names.flatMap((name) => {
    const [before, after] = [readUnsplit(name, older, newer), readUnsplit(name, newer, older)];
    if (name === 'id' || !before || !after) return [];
    // Different values may have equal cells. If any of the possible cells are equal, opac reports no change.
    const known = rules.flatMap((each) => newer.cells(name, each)).map(toText);
    if (rules.flatMap((each) => older.cells(name, each)).some((cell) => known.includes(toText(cell))))
      return [];
    const normalize = createUrlNormalizer(name, include);
    return compareLists(name, before.map(toText), after.map(toText), normalize);
  });
}

/** Returns false for a column that only one of two tables can contain, such as a column of remarks in an edited copy. */
export function isInBothTables(name: string, tables: readonly (Table | undefined)[]): boolean {
  const areKnown = tables.every((table) => !table || table.isRuleKnown);
  return tables.every(
    (table) => !table || table.positions.has(name) || (areKnown && table.wouldContain(name)),
  );
}

/** A cell with `; ` may have one value or several. opac splits the cell only if the other version has several values. */
function readUnsplit(
  name: string,
  record: SnapshotRecord,
  other: SnapshotRecord,
): readonly string[] | undefined {
  const cell = record.cell?.(name);
  const hasSeveral = !other.cell && (other.values(name)?.length ?? 0) > 1;
  return cell && !hasSeveral ? [cell] : record.values(name);
}

/** Removes differences that programs cause when they save a table: other line breaks, and dates without `Z`. */
function createTextNormalizer(tables: readonly (Table | undefined)[]): (text: string) => string {
  if (tables.some((table) => table?.isSingleLine)) return toSingleLine;
  return (text) => text.replace(/\r\n?/g, '\n').replace(/^(-?\d{4,6}-\d\d-\d\d)Z$/, '$1');
}

function compareLists(
  field: string,
  before: readonly string[],
  after: readonly string[],
  normalize: (text: string) => string = (text) => text,
): FieldChange[] {
  const change = findChangeKind(before.map(normalize), after.map(normalize));
  return change ? [{ field, change, old: before, new: after }] : [];
}

function findChangeKind(before: readonly string[], after: readonly string[]): ChangeKind | undefined {
  if (isSame(before, after)) return undefined;
  const [hadText, hasText] = [before, after].map((list) => list.some((text) => text !== ''));
  if (hadText && hasText) return isSame(before.toSorted(), after.toSorted()) ? 'moved' : 'changed';
  if (hadText || hasText) return hadText ? 'removed' : 'added';
  // Neither list contains text, and their lengths differ. A list without values equals any list of empty values.
  return before.length > 0 && after.length > 0 ? 'changed' : undefined;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, n) => text === other[n]);
}

function getText({ text }: ComparableValue): string {
  return text;
}

function joinKeys(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])];
}
