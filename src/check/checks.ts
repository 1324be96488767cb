/** The list of all checks in the order of the report, and the selection of checks by patterns. */
import { UsageError } from '../service/errors.js';
import { didYouMean } from '../service/suggest-name.js';
import type { Check } from './check.js';
import { ACCESS_CHECKS } from './checks/access.js';
import { createBaselineChecks } from './checks/baseline.js';
import { ENDPOINT_CHECKS } from './checks/endpoints.js';
import { createExpectationChecks } from './checks/expectations.js';
import { FACET_CHECKS } from './checks/facets.js';
import { FILTER_CHECKS } from './checks/filters.js';
import { IMAGE_CHECKS } from './checks/images.js';
import { PAGING_CHECKS } from './checks/paging.js';
import { RECORD_CHECKS } from './checks/records.js';
import { RELATIONSHIP_CHECKS } from './checks/relationships.js';
import { RETIRED_CHECKS } from './checks/retired.js';
import { ORDER_CHECKS, TERM_CHECKS } from './checks/terms.js';
import type { Expectations } from './samples/expectations.js';

/** The checks of expectations are last, because some of them examine all responses that the other checks received. */
export function createChecks(expectations: Expectations): Check[] {
  return [
    ...ACCESS_CHECKS,
    ...ENDPOINT_CHECKS,
    ...PAGING_CHECKS,
    ...RECORD_CHECKS,
    ...TERM_CHECKS,
    ...FILTER_CHECKS,
    ...ORDER_CHECKS,
    ...FACET_CHECKS,
    ...RELATIONSHIP_CHECKS,
    ...IMAGE_CHECKS,
    ...RETIRED_CHECKS,
    ...createBaselineChecks(expectations),
    ...createExpectationChecks(expectations),
  ];
}

/** A pattern is an id or a group (`paging`); `*` means any text. Throws a UsageError if a pattern matches no check. */
export function selectChecks(
  checks: readonly Check[],
  { only, skip }: { readonly only: readonly string[]; readonly skip: readonly string[] },
): Check[] {
  const included = only.map((pattern) => createMatcher(pattern, checks));
  const excluded = skip.map((pattern) => createMatcher(pattern, checks));
  const selected = checks
    .filter(({ id }) => only.length === 0 || included.some((matches) => matches(id)))
    .filter(({ id }) => !excluded.some((matches) => matches(id)));
  if (selected.length === 0)
    throw new UsageError('no checks are selected', 'to list all checks: opac check --list');
  return selected;
}

function createMatcher(pattern: string, checks: readonly Check[]): (id: string) => boolean {
  const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  const form = new RegExp(`^${source}(\\..*)?$`);
  if (!checks.some(({ id }) => form.test(id))) {
    const groups = checks.map(({ id }) => id.split('.')[0] ?? id);
    const known = [...new Set([...checks.map(({ id }) => id), ...groups])];
    throw new UsageError(`unknown check "${pattern}"`, didYouMean(pattern, known));
  }
  return (id) => form.test(id);
}
