/** Describes a search for the title of a page. */
import type { SearchInput } from '../../options/search.js';

/** `fern, classification: Photographs, with images`; `''` for all records. */
export function describeSearch(search: SearchInput): string {
  const { terms, facets, valueFile, externalId, queryFile, hasImages } = search;
  const describe = (name: string, value: string | undefined) =>
    value === undefined ? [] : [`${name}: ${value || 'no value'}`];
  return [
    ...(terms.text ?? []),
    ...[...terms.where, ...facets].flatMap(({ field, value }) => describe(field, value)),
    ...(valueFile ? describe(valueFile.field, `values in ${valueFile.value}`) : []),
    ...describe('collection', terms.collection),
    ...describe('highlight', terms.highlight),
    ...describe('ids', externalId),
    ...describe('query', queryFile ?? terms.raw),
    ...(terms.exact ? ['exact'] : []),
    ...(hasImages ? ['with images'] : []),
  ].join(', ');
}
