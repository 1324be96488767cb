/** The table of all checks, in the order in which they are reported, and the choice of some by patterns on their ids. */
import { UsageError } from '../service/errors.js';
import { didYouMean } from '../service/suggest-name.js';
import type { Check } from './check.js';
import { ACCESS_CHECKS } from './checks/access.js';
import { createBaselineChecks } from './checks/baseline.js';
import { ENCODING } from './checks/encoding.js';
import { ENDPOINT_CHECKS } from './checks/endpoints.js';
import { createExpectationChecks } from './checks/expectations.js';
import { FACET_CHECKS } from './checks/facets.js';
import { FILTER_CHECKS } from './checks/filters.js';
import { IMAGE_CHECKS } from './checks/images.js';
import { ORDER_CHECKS } from './checks/order.js';
import { PAGING_CHECKS } from './checks/paging.js';
import { RECORD_CHECKS } from './checks/records.js';
import { RELATIONSHIP_CHECKS } from './checks/relationships.js';
import { RETIRED_CHECKS } from './checks/retired.js';
import { TERM_CHECKS } from './checks/terms.js';
import type { Expectations } from './samples/expectations.js';

/** Every check, also those of what the caller expects. The last ones look at the requests of those before them. */
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
    ...ENCODING,
  ];
}

/**
 * The checks that match a pattern of `only` (all when there is none) and none of `skip`, in their order. A pattern is an id, a
 * group (`paging`), or either with `*` for any text. Throws a UsageError for a pattern that matches no check.
 */
export function selectChecks(
  checks: readonly Check[],
  { only, skip }: { readonly only: readonly string[]; readonly skip: readonly string[] },
): Check[] {
  const [wanted, unwanted] = [only, skip].map((patterns) =>
    patterns.map((pattern) => matcher(pattern, checks)),
  );
  const chosen = checks.filter(
    ({ id }) =>
      (only.length === 0 || wanted?.some((matches) => matches(id))) &&
      !unwanted?.some((matches) => matches(id)),
  );
  if (chosen.length === 0) throw new UsageError('no checks are left to run', 'see: opac check --list');
  return chosen;
}

function matcher(pattern: string, checks: readonly Check[]): (id: string) => boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  const form = new RegExp(`^${source}(\\..*)?$`);
  if (!checks.some(({ id }) => form.test(id))) {
    const groups = checks.map(({ id }) => id.split('.')[0] ?? id);
    const known = [...new Set([...checks.map(({ id }) => id), ...groups])];
    throw new UsageError(`no check is named "${pattern}"`, didYouMean(pattern, known));
  }
  return (id) => form.test(id);
}
