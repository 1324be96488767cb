/** Collections and highlights by their names, where their ids are asked for. */
import { SERVICE_ITEMS } from '../../../service/endpoints/items.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { asObject, asText } from '../../../service/json.js';
import { splitFoldedWords } from '../../../service/search/spelling.js';
import type { Context } from '../../context.js';
import { allItems } from '../items/list-items.js';

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

/** All that the deployment lists; none where it has no such list. Throws an OpacError when the list is not received completely. */
export async function fetchNamedSets(context: Context, item: SetName): Promise<readonly NamedSet[]> {
  const items = await allItems(context, { endpointId: `${item}s.list`, item }).catch((error) => {
    // Without the list, a name would be sent as an id, which finds nothing.
    if (error instanceof OpacError && error.kind === 'not-found') return [];
    throw error;
  });
  const [idKey = ''] = SERVICE_ITEMS[item].idKeys;
  return items.map(asObject).map((each) => ({
    id: asText(each[idKey]),
    name: asText(NAME_KEYS[item].map((key) => each[key]).find(Boolean)),
  }));
}

/**
 * The id of a set given by its id or its name. A number costs no request: it is an id. Without a set of that name it is given
 * back as it is. Throws a UsageError where several have it.
 */
export async function resolveSetId(context: Context, item: SetName, given: string): Promise<string> {
  if (/^\d*$/.test(given) || context.dryRunLog) return given;
  const sets = await fetchNamedSets(context, item).catch((error: OpacError) => {
    const hint = `give its id in --query '${item === 'collection' ? 'collections' : item}:"<id>"'`;
    throw new OpacError(error.kind, `"${given}" may be the name of a ${item}: ${error.message}`, { hint });
  });
  return chosenSet(sets, item, given, context.note);
}

/** As `setId`, of the sets that are known. */
export function chosenSet(
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
  if (set === undefined || wanted.length === 0) return given;
  if (others.length > 0)
    throw new UsageError(
      `${others.length + 1} ${item}s have the name "${given}"`,
      `choose one by its id: ${formatSets([set, ...others])}`,
    );
  note(`${item} ${formatSets([set])}`);
  return set.id;
}

const MAX_SETS_LISTED = 12;

/** `2 (Works on paper), 3 (Prints)`. */
export function formatSets(sets: readonly NamedSet[]): string {
  const named = sets.slice(0, MAX_SETS_LISTED).map(({ id, name }) => (name === '' ? id : `${id} (${name})`));
  return [...named, ...(sets.length > MAX_SETS_LISTED ? ['…'] : [])].join(', ');
}
