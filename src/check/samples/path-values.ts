/** Values for the parameters in paths, taken from what the deployment has. */
import { KIND_KEYS, type Kind, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import type { Probe } from '../probe/probe.js';
import { findRichRecord, requestFacets, requestItemIds, requestNonEmptyPage, takeFirst } from './samples.js';

/**
 * A value for a parameter of a path of that kind of record; `before` are the values of those to its left. Throws NothingToTry
 * when the deployment has none.
 */
export async function pathValue(
  probe: Probe,
  name: string,
  kind: Kind,
  before: Readonly<Record<string, string>>,
): Promise<string> {
  const owner = RECORD_KINDS.find((each) => KIND_KEYS[each].idKey === name);
  if (owner) return (await findRichRecord(probe, owner)).id;
  const find = VALUES[name];
  if (!find) throw new RangeError(`nothing is known to give values of ${name}`);
  return find(probe, kind, before);
}

type ValueOf = (probe: Probe, kind: Kind, before: Readonly<Record<string, string>>) => Promise<string>;

const VALUES: Readonly<Record<string, ValueOf>> = {
  facetId: async (probe, kind) =>
    takeFirst((await requestFacets(probe, kind)).facets, `the service names no facets of ${kind}`).id,
  viewName: async (probe, kind) =>
    takeFirst(await requestItemIds(probe, `${kind as RecordKind}.views`), `there are no views of ${kind}`),
  opacCollectionId: async (probe) =>
    takeFirst(await requestItemIds(probe, 'collections.list'), 'there are no collections'),
  highlightId: async (probe) =>
    takeFirst(await requestItemIds(probe, 'highlights.list'), 'there are no highlights'),
  imageLabelId: async (probe, _, path) =>
    takeFirst(await requestItemIds(probe, 'objects.imagelabels', path), 'no object has image labels'),
  relationshipId: async (probe, kind) => {
    const { relationships } = await findRichRecord(probe, kind);
    return takeFirst(relationships, `no ${KIND_KEYS[kind].recordType} has relationships`).id;
  },
  authorityFieldName: async (probe, kind) => {
    const { records } = await requestNonEmptyPage(probe, kind as RecordKind);
    // Terms carry the query that finds them (test/fixtures/opacobjects-detail.json).
    const fields = records.flatMap((each) => [...each.fields].filter(([, values]) => values.length > 0));
    const terms = fields.filter(([, values]) => values.some(({ attributes }) => attributes.has('search')));
    return takeFirst([...terms, ...fields], `no ${kind} have fields`)[0];
  },
};
