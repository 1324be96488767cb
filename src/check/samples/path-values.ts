/** Finds values in the deployment for the path parameters of endpoints. */
import { KIND_KEYS, type Kind, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import type { Probe } from '../probe/probe.js';
import { findRichRecord, requestFacets, requestItemIds, requestNonEmptyPage, takeFirst } from './samples.js';

/** `before`: the values of the preceding parameters in the path. Throws CheckNotApplicable if the deployment has no value. */
export async function findPathValue(
  probe: Probe,
  name: string,
  kind: Kind,
  before: Readonly<Record<string, string>>,
): Promise<string> {
  const owner = RECORD_KINDS.find((each) => KIND_KEYS[each].idKey === name);
  if (owner) return (await findRichRecord(probe, owner)).id;
  const find = FINDERS[name];
  if (!find) throw new RangeError(`no values are known for ${name}`);
  return find(probe, kind, before);
}

type FindValue = (probe: Probe, kind: Kind, before: Readonly<Record<string, string>>) => Promise<string>;

const FINDERS: Readonly<Record<string, FindValue>> = {
  facetId: async (probe, kind) =>
    takeFirst((await requestFacets(probe, kind)).facets, `the service returns no facets of ${kind}`).id,
  viewName: async (probe, kind) =>
    takeFirst(
      await requestItemIds(probe, `${kind as RecordKind}.views`),
      `the service returns no views of ${kind}`,
    ),
  opacCollectionId: async (probe) =>
    takeFirst(await requestItemIds(probe, 'collections.list'), 'the service returns no collections'),
  highlightId: async (probe) =>
    takeFirst(await requestItemIds(probe, 'highlights.list'), 'the service returns no highlights'),
  imageLabelId: async (probe, _, path) =>
    takeFirst(
      await requestItemIds(probe, 'objects.imagelabels', path),
      'the examined object has no image labels',
    ),
  relationshipId: async (probe, kind) => {
    const { relationships } = await findRichRecord(probe, kind);
    return takeFirst(relationships, `no ${KIND_KEYS[kind].recordType} has relationships`).id;
  },
  authorityFieldName: async (probe, kind) => {
    const { records } = await requestNonEmptyPage(probe, kind as RecordKind);
    // An authority term has an attribute `search`: the query for records with the term (test/fixtures/opacobjects-detail.json).
    const fields = records.flatMap((each) => [...each.fields].filter(([, values]) => values.length > 0));
    const terms = fields.filter(([, values]) => values.some(({ attributes }) => attributes.has('search')));
    return takeFirst([...terms, ...fields], `no ${kind} have fields`)[0];
  },
};
