/** The table of all checks, in the order in which they are reported. */
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
