/** The table of all checks, in the order in which they are reported, and the choice of some by patterns on their ids. */
import { UsageError } from '../service/errors.js';
import { didYouMean } from '../service/nearest.js';
import type { Check } from './check.js';
import { ACCESS } from './checks/access.js';
import { againstBaseline } from './checks/baseline.js';
import { ENCODING } from './checks/encoding.js';
import { ENDPOINTS } from './checks/endpoints.js';
import { expected } from './checks/expected.js';
import { FACETS } from './checks/facets.js';
import { FILTERS } from './checks/filters.js';
import { IMAGES } from './checks/images.js';
import { ORDER } from './checks/order.js';
import { PAGING } from './checks/paging.js';
import { RECORDS } from './checks/records.js';
import { RELATIONSHIPS } from './checks/relationships.js';
import { RETIRED } from './checks/retired.js';
import { TERM_CHECKS } from './checks/terms.js';
import type { Expectations } from './material/expectations.js';

/** Every check, also those of what the caller expects. The last ones look at the requests of those before them. */
export function checksFor(expectations: Expectations): Check[] {
  return [
    ...ACCESS,
    ...ENDPOINTS,
    ...PAGING,
    ...RECORDS,
    ...TERM_CHECKS,
    ...FILTERS,
    ...ORDER,
    ...FACETS,
    ...RELATIONSHIPS,
    ...IMAGES,
    ...RETIRED,
    ...againstBaseline(expectations),
    ...expected(expectations),
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
