/** Finds the id of a collection or highlight (a set) by its name. */
import { SERVICE_ITEMS } from '../../../service/endpoints/items.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { asObject, asText } from '../../../service/json.js';
import { findSimilarValues, splitFoldedWords } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';
import { fetchAllItems } from '../items/list-items.js';

export const SET_NAMES = ['collection', 'highlight'] as const;
export type SetName = (typeof SET_NAMES)[number];

const NAME_KEYS: Readonly<Record<SetName, readonly string[]>> = {
  collection: ['collectionName', 'title'],
  highlight: ['title', 'name'],
};

export interface NamedSet {
  readonly id: string;
  readonly name: string;
}

/** Returns `[]` if the deployment lacks this list (404). Throws an OpacError if the request fails or the list is incomplete. */
export async function fetchNamedSets(context: Context, item: SetName): Promise<readonly NamedSet[]> {
  const items = await fetchAllItems(context, { endpointId: `${item}s.list` }).catch((error) => {
    if (error instanceof OpacError && error.kind === 'not-found') return [];
    // With an empty list, opac would use the name as an id, and find nothing.
    throw error;
  });
  const [idKey = ''] = SERVICE_ITEMS[item].idKeys;
  return items.map(asObject).map((each) => ({
    id: asText(each[idKey]),
    name: asText(NAME_KEYS[item].map((key) => each[key]).find(Boolean)),
  }));
}

/** `given` is an id, a name, or some words of a name. Throws a UsageError if no set or several sets match. */
export async function resolveSetId(context: Context, item: SetName, given: string): Promise<string> {
  if (given === '' || context.dryRunLog) return given;
  if (isNumber(given)) {
    const sets = await fetchNamedSets(context, item).catch(() => []);
    return chooseSet(sets, item, given, context.note);
  }
  const sets = await fetchNamedSets(context, item).catch((error: OpacError) => {
    const hint = `use its id in --query '${item === 'collection' ? 'collections' : item}:"<id>"'`;
    throw new OpacError(error.kind, `cannot look up the ${item} "${given}": ${error.message}`, { hint });
  });
  return chooseSet(sets, item, given, context.note);
}

const isNumber = (text: string) => /^\d+$/.test(text);

/** Does the same as `resolveSetId`, for the given sets. Prints a note if it finds the set by name. */
export function chooseSet(
  sets: readonly NamedSet[],
  item: SetName,
  given: string,
  note: Context['note'],
): string {
  if (sets.some(({ id }) => id === given)) return given;
  const wanted = splitFoldedWords(given);
  const near = sets.filter(({ name }) => wanted.every((word) => splitFoldedWords(name).includes(word)));
  const same = near.filter(({ name }) => splitFoldedWords(name).length === wanted.length);
  const [set, ...others] = same.length > 0 ? same : near;
  if (set === undefined && sets.length > 0) throw createUnknownSetError(sets, item, given);
  if (set === undefined || wanted.length === 0) return given;
  if (set.id === '')
    throw new UsageError(
      `cannot search the ${item} "${set.name}": it has no id`,
      'search with --query or --where instead',
    );
  if (others.length > 0)
    throw new UsageError(
      `${others.length + 1} ${item}s match the name "${given}"`,
      `choose one by its id: ${formatSets([set, ...others])}`,
    );
  note(`${item} ${formatSets([set])}`);
  return set.id;
}

function createUnknownSetError(sets: readonly NamedSet[], item: SetName, given: string): UsageError {
  const unnamed = sets.filter(({ name }) => name === '');
  if (unnamed.length > 0) {
    const hint = `use the id; choose from ${formatSets(sets)}`;
    return new UsageError(
      `cannot find the ${item} "${given}" by name; ${item}s without a name: ${formatSets(unnamed)}`,
      hint,
    );
  }
  const names = findSimilarValues(
    given,
    sets.map(({ name }) => name),
  );
  const meant = sets.filter(({ name }) => names.includes(name));
  const hint = meant.length > 0 ? `did you mean ${formatSets(meant)}?` : `choose from ${formatSets(sets)}`;
  return new UsageError(`unknown ${item} "${given}"`, hint);
}

const MAX_SETS_LISTED = 12;

/** Lists the first sets: `2 (Works on paper), 3 (Prints)`. */
export function formatSets(sets: readonly NamedSet[]): string {
  const named = sets.slice(0, MAX_SETS_LISTED).map(({ id, name }) => (name === '' ? id : `${id} (${name})`));
  return [...named, ...(sets.length > MAX_SETS_LISTED ? ['…'] : [])].join(', ');
}
