/** What version 3 retired: paths, parameters and fields are gone, or answer as their replacements do. */
import { RETIRED_PATHS, type RetiredPath } from '../../service/endpoints/retired.js';
import { asNumber, asObject, asText, isObject } from '../../service/json.js';
import { KINDS } from '../../service/kinds.js';
import { migrateUrl } from '../../service/migrate/url.js';
import { percentEncoded } from '../../service/percent-encoding.js';
import type { Check } from '../check.js';
import { facets, firstOf, firstPage, itemIds, someRecords, totalOf } from '../material/samples.js';
import { type Deviation, NothingToTry } from '../probe/deviation.js';
import type { Exchange } from '../probe/exchange.js';
import { type Probe, type Reply, Unanswered } from '../probe/probe.js';

export const RETIRED: readonly Check[] = [
  {
    id: 'retired.removed',
    promise: 'removed paths are gone',
    source: 'INTERFACE.md "Removed methods"',
    run: removed,
  },
  {
    id: 'retired.deprecated',
    promise: 'deprecated paths answer as their replacements do, or are gone',
    source: 'INTERFACE.md "Deprecated methods and their replacements"',
    run: (probe) => asReplaced(probe, 'deprecated'),
  },
  {
    id: 'retired.moved',
    promise: 'moved paths answer as the new ones do, or are gone',
    source: 'INTERFACE.md "Endpoints": Formerly',
    deviation: 'warn',
    run: (probe) => asReplaced(probe, 'formerly'),
  },
  {
    id: 'retired.object-ids',
    promise: 'the deprecated parameter opacObjectIds still filters, or is ignored',
    source: 'INTERFACE.md "Deprecated methods and their replacements"',
    deviation: 'warn',
    run: objectIds,
  },
  {
    id: 'retired.derivative',
    promise: 'highlights ignore the parameter derivative',
    source: 'INTERFACE.md "Highlights"',
    run: derivative,
  },
  {
    id: 'retired.fields',
    promise:
      'fields of version 2 are gone: rolesCollection, isRangeFacet, opacObjectId of comments, key "related"',
    source: 'INTERFACE.md "Fields stated"',
    run: fields,
  },
];

/** Statuses by which a service says that it has nothing at a path. */
const GONE = new Set([400, 404, 405, 410, 501]);

/** What a retired path answers with; undefined when it is gone. */
async function remains(
  probe: Probe,
  path: string,
  query: readonly (readonly [string, string])[] = [],
): Promise<Reply | undefined> {
  try {
    return await probe.askPath(path, query);
  } catch (error) {
    if (!(error instanceof Unanswered) || error.status === undefined) throw error;
    // Web servers may send a page for any path, which is no response of the interface.
    if (GONE.has(error.status) || (error.status >= 200 && error.status < 400)) return undefined;
    throw error;
  }
}

/** The path with values that the deployment has, or plausible ones where it has none. */
async function filled(probe: Probe, { path }: RetiredPath): Promise<string> {
  const values = await pathValues(probe);
  return path.replace(/\{(\w+)\}/g, (_, name: string) => percentEncoded(values[name] || '1'));
}

async function pathValues(probe: Probe): Promise<Readonly<Record<string, string>>> {
  const orNothing = <T>(value: Promise<T>) =>
    value.catch((error) => {
      if (error instanceof NothingToTry || error instanceof Unanswered) return undefined;
      throw error;
    });
  const [objects, persons, collections, highlights, counted] = await Promise.all([
    orNothing(firstPage(probe, 'objects')),
    orNothing(firstPage(probe, 'persons')),
    orNothing(itemIds(probe, 'collections.list')),
    orNothing(itemIds(probe, 'highlights.list')),
    orNothing(facets(probe, 'objects')),
  ]);
  return {
    opacObjectId: objects?.records[0]?.id ?? '',
    opacPersonId: persons?.records[0]?.id ?? '',
    opacCollectionId: collections?.[0] ?? '',
    highlightId: highlights?.[0] ?? '',
    facetId: counted?.facets[0]?.id ?? '',
    authorityFieldName: [...(objects?.records[0]?.fields.keys() ?? [])][0] ?? '',
  };
}

async function* removed(probe: Probe): AsyncGenerator<Deviation> {
  for (const row of RETIRED_PATHS.filter(({ state }) => state === 'removed')) {
    const path = await filled(probe, row);
    const reply = await remains(probe, path);
    if (reply)
      yield {
        expected: `${path} is gone: use ${row.replacements.join(' or ')}`,
        received: `${reply.at.status}`,
        at: reply.at,
      };
  }
}

async function* asReplaced(probe: Probe, state: RetiredPath['state']): AsyncGenerator<Deviation> {
  for (const row of RETIRED_PATHS.filter((each) => each.state === state)) {
    const path = await filled(probe, row);
    const reply = await remains(probe, path);
    if (!reply) continue;
    const { status, text: migrated } = migrateUrl(path);
    if (status !== 'moved') continue;
    const instead = await remains(probe, migrated);
    const [old, current] = [reply, instead].map((each) => each && size(each.value));
    if (old !== current)
      yield {
        expected: `${path} answers as ${migrated} does: ${current ?? 'gone'}`,
        received: `${old}`,
        at: reply.at,
      };
  }
}

/** How much a response holds: its totals, or the length of its list. */
function size(value: Reply['value']): string {
  if (!isObject(value)) return `${value.length} items`;
  const totals = Object.keys(value).filter((key) => /^total/.test(key) && asNumber(value[key]) !== undefined);
  return (
    totals.map((key) => `${key} ${asText(value[key])}`).join(', ') || Object.keys(value).toSorted().join(', ')
  );
}

async function* objectIds(probe: Probe): AsyncGenerator<Deviation> {
  const { records } = await someRecords(probe, 'objects');
  const all = await totalOf(probe, 'objects');
  const found = await totalOf(probe, 'objects', [['opacObjectIds', records[0]?.id ?? '']]);
  if (found.total !== 1 && found.total !== all.total)
    yield {
      expected: `1 object with opacObjectIds, or all ${all.total}`,
      received: `${found.total}`,
      at: found.at,
    };
}

async function* derivative(probe: Probe): AsyncGenerator<Deviation> {
  const usual = await probe.list('highlights.list');
  firstOf(usual.items, 'there are no highlights');
  const asked = await probe.list('highlights.list', { query: [['derivative', 'SMALL']] });
  if (JSON.stringify(asked.items) !== JSON.stringify(usual.items))
    yield {
      expected: 'the same highlights with derivative=SMALL as without',
      received: 'they differ',
      at: asked.at,
    };
}

/** Keys of version 2 that may stand nowhere any more. */
const OLD_KEYS = ['rolesCollection', 'isRangeFacet'];

async function* fields(probe: Probe): AsyncGenerator<Deviation> {
  const seen: (readonly [unknown, Exchange])[] = [];
  for (const kind of KINDS) {
    const { items, at } = await firstPage(probe, kind);
    seen.push([items, at]);
    const counted = await facets(probe, kind);
    seen.push([counted.facets.map(({ raw }) => raw), counted.at]);
  }
  for (const [value, at] of seen) {
    const old = oldKey(value);
    if (old) yield { expected: 'no field of version 2', received: old, at };
  }
  const comments = await probe.list('comments.list');
  if (comments.items.some((each) => asObject(each).opacObjectId !== undefined))
    yield { expected: 'opacRecordId in comments', received: 'opacObjectId', at: comments.at };
}

/** The first key or value of version 2 in a JSON value, in words. */
function oldKey(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value.map(oldKey).find((each) => each !== undefined);
  for (const [key, inner] of Object.entries(value)) {
    if (OLD_KEYS.includes(key)) return `"${key}"`;
    if (key === 'key' && inner === 'related') return '"key": "related"';
    const old = oldKey(inner);
    if (old) return old;
  }
  return undefined;
}
