/** Tells a search that finds nothing because of a misspelt field from one that finds nothing. */
import { OpacError, UsageError } from '../../../service/errors.js';
import type { Json } from '../../../service/json.js';
import { KIND_WORDS, KINDS, type Kind } from '../../../service/kinds.js';
import { closestName, didYouMean } from '../../../service/nearest.js';
import type { RecordSearch } from '../../../service/search/search.js';
import type { Context } from '../../context.js';
import { facetsWithValues } from './field-values.js';
import { publishedFields, totalOf } from './pages.js';

/** Fields of the query language that no view shows (INTERFACE.md "Fields stated", FIELD-NOTES.md "Answers"). */
export const QUERY_FIELDS: ReadonlySet<string> = new Set([
  'collections',
  'highlight',
  'external_object_id',
  'recordType',
  ...KINDS.map((kind) => KIND_WORDS[kind].idKey),
]);

/** Passes pages on. Throws a UsageError when there are no records, or the service refuses, and a field is unknown. */
export async function* withKnownFields(
  pages: AsyncIterable<readonly Json[]>,
  context: Context,
  kind: Kind,
  search: RecordSearch,
): AsyncGenerator<readonly Json[]> {
  let found = 0;
  try {
    for await (const page of pages) {
      found += page.length;
      yield page;
    }
  } catch (error) {
    throw await explained(error, context, kind, search);
  }
  if (found === 0) await refuseUnknownFields(context, kind, search);
}

/** What the service refuses, as the UsageError that names an unknown field or facet; any other error as it is. */
export async function explained(
  error: unknown,
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<unknown> {
  if (!(error instanceof OpacError) || error.kind !== 'usage' || context.settings.dryRun) return error;
  try {
    await refuseUnknownFields(context, kind, search);
    const { facets = [] } = search;
    if (facets.length === 0) return error;
    const known = (await facetsWithValues(context, kind)).map(({ facetId }) => facetId);
    const unknown = facets.find(({ field }) => !known.includes(field));
    if (unknown === undefined || known.length === 0) return error;
    return new UsageError(
      `there is no facet "${unknown.field}" of ${kind}`,
      didYouMean(unknown.field, known),
    );
  } catch (better) {
    return better instanceof UsageError ? better : error;
  }
}

/** Before an export, so that a typo does not replace a good file by an empty one. Costs a request where fields are compared. */
export async function refuseEmptyByMistake(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<void> {
  const { where = [], externalIds, oneOf } = search.terms;
  if ((where.length === 0 && !oneOf) || externalIds !== undefined) return;
  // The export itself reports what the service refuses.
  const found = await totalOf(context, kind, search).catch(() => undefined);
  if (found === 0) await refuseUnknownFields(context, kind, search);
}

/**
 * Throws a UsageError with the nearest name when the search compares or sorts by a field that the deployment does not
 * publish. Costs a request. A raw query is not checked: the service knows more names than it publishes.
 */
export async function refuseUnknownFields(
  context: Context,
  kind: Kind,
  { terms, sort }: RecordSearch,
): Promise<void> {
  const compared = [...(terms.where ?? []), ...(terms.oneOf ? [terms.oneOf] : [])];
  const named = [...compared.map(({ field }) => field), ...(sort === undefined ? [] : [sort])];
  const fields = named.filter((field) => !QUERY_FIELDS.has(field));
  if (fields.length === 0 || context.settings.dryRun) return;
  const published = await publishedFields(context, kind);
  const unknown = fields.find((field) => !published.includes(field));
  if (unknown === undefined || published.length === 0) return;
  const near = closestName(unknown, [...published, 'title', 'id']);
  throw new UsageError(
    `the deployment publishes no field "${unknown}" of ${kind}`,
    near
      ? `did you mean "${near}"?`
      : `choose from ${published.slice(0, 12).join(', ')}${published.length > 12 ? ', …' : ''}; search other fields with --query`,
  );
}
