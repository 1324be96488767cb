/** What version 3 retired: paths, parameters and fields are gone, or answer as their replacements do. */
import { pathParameters } from '../../service/endpoints/catalogue.js';
import { RETIRED_PATHS, type RetiredPath } from '../../service/endpoints/retired.js';
import { asNumber, asObject, asText, isObject } from '../../service/json.js';
import { KINDS } from '../../service/kinds.js';
import { migrateUrl } from '../../service/migrate/migrate-url.js';
import { percentEncode } from '../../service/percent-encoding.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, type Deviation, deviation } from '../probe/deviation.js';
import { type Probe, type ProbeResponse, RequestFailed } from '../probe/probe.js';
import { pathValue } from '../samples/path-values.js';
import {
  requestFacets,
  requestFirstPage,
  requestNonEmptyPage,
  requestTotal,
  takeFirst,
} from '../samples/samples.js';

const DEPRECATED = 'INTERFACE.md "Deprecated methods and their replacements"';

export const RETIRED_CHECKS: readonly Check[] = [
  {
    id: 'retired.removed',
    promise: 'removed paths are gone',
    source: 'INTERFACE.md "Removed methods"',
    async *run(probe) {
      for await (const { path, reply, replacements } of remaining(probe, 'removed'))
        yield deviation(
          `${path} is gone: use ${replacements.join(' or ')}`,
          `${reply.exchange.status}`,
          reply.exchange,
        );
    },
  },
  {
    id: 'retired.deprecated',
    promise: 'deprecated paths answer as their replacements do, or are gone',
    source: DEPRECATED,
    run: (probe) => compareWithReplacements(probe, 'deprecated'),
  },
  {
    id: 'retired.moved',
    promise: 'moved paths answer as the new ones do, or are gone',
    source: 'INTERFACE.md "Endpoints": Formerly',
    deviation: 'warn',
    run: (probe) => compareWithReplacements(probe, 'formerly'),
  },
  {
    id: 'retired.object-ids',
    promise: 'the deprecated parameter opacObjectIds still filters, or is ignored',
    source: DEPRECATED,
    deviation: 'warn',
    async *run(probe) {
      const { records } = await requestNonEmptyPage(probe, 'objects');
      const all = await requestTotal(probe, 'objects');
      const { total, at } = await requestTotal(probe, 'objects', [['opacObjectIds', records[0]?.id ?? '']]);
      if (total !== 1 && total !== all.total)
        yield deviation(`1 object with opacObjectIds, or all ${all.total}`, total, at);
    },
  },
  {
    id: 'retired.derivative',
    promise: 'highlights ignore the parameter derivative',
    source: 'INTERFACE.md "Highlights"',
    async *run(probe) {
      const usual = await probe.requestList('highlights.list');
      takeFirst(usual.items, 'there are no highlights');
      const { items, exchange } = await probe.requestList('highlights.list', {
        query: [['derivative', 'SMALL']],
      });
      const expected = 'the same highlights with derivative=SMALL as without';
      if (JSON.stringify(items) !== JSON.stringify(usual.items))
        yield deviation(expected, 'they differ', exchange);
    },
  },
  {
    id: 'retired.fields',
    promise:
      'fields of version 2 are gone: rolesCollection, isRangeFacet, opacObjectId of comments, key "related"',
    source: 'INTERFACE.md "Fields stated"',
    async *run(probe) {
      for (const kind of KINDS) {
        const { items, exchange } = await requestFirstPage(probe, kind);
        const counted = await requestFacets(probe, kind);
        const raw = counted.facets.map((each) => each.raw);
        for (const [old, shown] of [
          [oldKey(items), exchange] as const,
          [oldKey(raw), counted.exchange] as const,
        ])
          if (old) yield deviation('no field of version 2', old, shown);
      }
      const { items, exchange } = await probe.requestList('comments.list');
      if (items.some((each) => asObject(each).opacObjectId !== undefined))
        yield deviation('opacRecordId in comments', 'opacObjectId', exchange);
    },
  },
];

/** The retired paths of that state that still answer. */
async function* remaining(probe: Probe, state: RetiredPath['state']) {
  for (const { path: template, replacements } of RETIRED_PATHS.filter((each) => each.state === state)) {
    const path = await fillPath(probe, template);
    const reply = await askRetired(probe, path);
    if (reply) yield { path, reply, replacements };
  }
}

async function* compareWithReplacements(
  probe: Probe,
  state: RetiredPath['state'],
): AsyncGenerator<Deviation> {
  for await (const { path, reply } of remaining(probe, state)) {
    const { status, text: migrated } = migrateUrl(path);
    if (status !== 'moved') continue;
    const instead = await askRetired(probe, migrated);
    const [old, current] = [sizeOf(reply), instead && sizeOf(instead)];
    const expected = `${path} answers as ${migrated} does: ${current ?? 'gone'}`;
    if (old !== current) yield deviation(expected, old, reply.exchange);
  }
}

/** Statuses by which a service says that it has nothing at a path. */
const GONE = new Set([400, 404, 405, 410, 501]);

/** What a path answers with; undefined when it is gone. */
async function askRetired(probe: Probe, path: string): Promise<ProbeResponse | undefined> {
  try {
    return await probe.askPath(path);
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status === undefined) throw error;
    // Web servers may send a page for any path, which is no response of the interface.
    if (GONE.has(error.status) || (error.status >= 200 && error.status < 400)) return undefined;
    throw error;
  }
}

/** The path with values that the deployment has, or plausible ones where it has none. */
async function fillPath(probe: Probe, template: string): Promise<string> {
  const values: Record<string, string> = {};
  // The service has no roles any more.
  for (const name of pathParameters(template))
    values[name] = name === 'roleId' ? '1' : await pathValue(probe, name, 'objects', values).catch(plausible);
  return template.replace(/\{(\w+)\}/g, (_, name: string) => percentEncode(values[name] || '1'));
}

function plausible(error: unknown): string {
  if (error instanceof CheckNotApplicable || error instanceof RequestFailed) return '1';
  throw error;
}

/** How much a response holds: its totals, or the length of its list. */
function sizeOf({ value }: ProbeResponse): string {
  if (!isObject(value)) return `${value.length} items`;
  const totals = Object.keys(value).filter((key) => /^total/.test(key) && asNumber(value[key]) !== undefined);
  const texts = totals.map((key) => `${key} ${asText(value[key])}`);
  return texts.join(', ') || Object.keys(value).toSorted().join(', ');
}

/** Keys of version 2 that may stand nowhere any more. */
const OLD_KEYS = ['rolesCollection', 'isRangeFacet'];

/** The first key or value of version 2 in a JSON value, in words. */
function oldKey(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (OLD_KEYS.includes(key)) return `"${key}"`;
    if (key === 'key' && inner === 'related') return '"key": "related"';
    const old = oldKey(inner);
    if (old) return old;
  }
  return undefined;
}
