/** Checks that retired paths, parameters and fields do not exist, have no effect, or work like their replacements. */
import { pathParameters } from '../../service/endpoints/catalogue.js';
import { RETIRED_PATHS, type RetiredPath } from '../../service/endpoints/retired.js';
import { asNumber, asObject, asText, isObject } from '../../service/json.js';
import { KINDS } from '../../service/kinds.js';
import { migrateUrl } from '../../service/migrate/migrate-url.js';
import { percentEncode } from '../../service/percent-encoding.js';
import type { Check } from '../check.js';
import { CheckNotApplicable, type Deviation, deviation } from '../probe/deviation.js';
import { type Probe, type ProbeResponse, RequestFailed } from '../probe/probe.js';
import { findPathValue } from '../samples/path-values.js';
import {
  requestFacets,
  requestFirstPage,
  requestNonEmptyPage,
  requestTotal,
  takeFirst,
} from '../samples/samples.js';

const DEPRECATED = 'opac help interface, "Deprecated methods and their replacements"';

export const RETIRED_CHECKS: readonly Check[] = [
  {
    id: 'retired.removed',
    promise: 'removed paths no longer exist',
    source: 'opac help interface, "Removed methods"',
    async *run(probe) {
      for await (const { path, reply, replacements } of findRemainingPaths(probe, 'removed')) {
        const { exchange } = reply;
        const expected = `${path} does not exist: use ${replacements.join(' or ')}`;
        yield deviation(expected, `${exchange.request.status}`, exchange);
      }
    },
  },
  {
    id: 'retired.deprecated',
    promise: 'deprecated paths return the same as their replacements, or no longer exist',
    source: DEPRECATED,
    run: (probe) => compareWithReplacements(probe, 'deprecated'),
  },
  {
    id: 'retired.moved',
    promise: 'moved paths return the same as the new paths, or no longer exist',
    source: 'opac help interface, "Endpoints": Formerly',
    warning: 'current paths are not affected',
    run: (probe) => compareWithReplacements(probe, 'formerly'),
  },
  {
    id: 'retired.object-ids',
    promise: 'the deprecated parameter opacObjectIds still filters, or is ignored',
    source: DEPRECATED,
    warning: 'current searches are not affected',
    async *run(probe) {
      const { records } = await requestNonEmptyPage(probe, 'objects');
      const all = await requestTotal(probe, 'objects');
      const { total, exchange } = await requestTotal(probe, 'objects', [
        ['opacObjectIds', records[0]?.id ?? ''],
      ]);
      if (total !== 1 && total !== all.total)
        yield deviation(`1 object with opacObjectIds, or all ${all.total}`, total, exchange);
    },
  },
  {
    id: 'retired.derivative',
    promise: 'highlights ignore the parameter derivative',
    source: 'opac help interface, "Highlights"',
    async *run(probe) {
      const usual = await probe.requestList('highlights.list');
      takeFirst(usual.items, 'the service returns no highlights');
      const { items, exchange } = await probe.requestList('highlights.list', {
        query: [['derivative', 'SMALL']],
      });
      const expected = 'the same highlights with derivative=SMALL as without';
      if (JSON.stringify(items) !== JSON.stringify(usual.items))
        yield deviation(expected, 'other highlights', exchange);
    },
  },
  {
    id: 'retired.fields',
    promise:
      'fields of version 2 no longer exist: rolesCollection, isRangeFacet, opacObjectId of comments, key "related"',
    source: 'opac help interface, "Fields stated"',
    async *run(probe) {
      for (const kind of KINDS) {
        const replies = [await requestFirstPage(probe, kind), await requestFacets(probe, kind)];
        for (const { value, exchange } of replies) {
          const old = findOldKey(value);
          if (old) yield deviation('no field of version 2', old, exchange);
        }
      }
      const { items, exchange } = await probe.requestList('comments.list');
      if (items.some((each) => asObject(each).opacObjectId !== undefined))
        yield deviation('opacRecordId in comments', 'opacObjectId', exchange);
    },
  },
];

type State = RetiredPath['state'];

async function* findRemainingPaths(probe: Probe, state: State) {
  for (const { path: template, replacements } of RETIRED_PATHS.filter((each) => each.state === state)) {
    const path = await fillTemplate(probe, template);
    const reply = await requestRetiredPath(probe, path);
    if (reply) yield { path, reply, replacements };
  }
}

async function* compareWithReplacements(probe: Probe, state: State): AsyncGenerator<Deviation> {
  for await (const { path, reply } of findRemainingPaths(probe, state)) {
    const { status, text: migrated } = migrateUrl(path);
    if (status !== 'moved') continue;
    const instead = await requestRetiredPath(probe, migrated);
    const [old, current] = [describeSize(reply), instead && describeSize(instead)];
    const expected = `${path} returns the same as ${migrated}: ${current ?? 'not found'}`;
    if (old !== current) yield deviation(expected, old, reply.exchange);
  }
}

/** Statuses that a service may return for a path that does not exist. */
const GONE = new Set([400, 404, 405, 410, 501]);

async function requestRetiredPath(probe: Probe, path: string): Promise<ProbeResponse | undefined> {
  try {
    return await probe.requestPath(path);
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status === undefined) throw error;
    // Some web servers return a web page or a redirect for any path, even if the path does not exist in the API.
    if (GONE.has(error.status) || (error.status >= 200 && error.status < 400)) return undefined;
    throw error;
  }
}

/** Replaces each path parameter with a value from the deployment, or with `1` if opac finds no value. */
async function fillTemplate(probe: Probe, template: string): Promise<string> {
  const values: Record<string, string> = {};
  // Version 3 of the API does not have roles, so any id is sufficient.
  for (const name of pathParameters(template))
    values[name] =
      name === 'roleId' ? '1' : await findPathValue(probe, name, 'objects', values).catch(getFallbackValue);
  return template.replace(/\{(\w+)\}/g, (_, name: string) => percentEncode(values[name] || '1'));
}

function getFallbackValue(error: unknown): string {
  if (error instanceof CheckNotApplicable || error instanceof RequestFailed) return '1';
  throw error;
}

function describeSize({ value }: ProbeResponse): string {
  if (!isObject(value)) return `${value.length} items`;
  const totals = Object.keys(value).filter((key) => /^total/.test(key) && asNumber(value[key]) !== undefined);
  const texts = totals.map((key) => `${key} ${asText(value[key])}`);
  return texts.join(', ') || Object.keys(value).toSorted().join(', ');
}

function findOldKey(value: unknown): string | undefined {
  return /"(?:rolesCollection|isRangeFacet)"(?=:)|"key":"related"/.exec(JSON.stringify(value))?.[0];
}
