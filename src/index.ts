/** The library: the same core that the program uses. */
export { CATALOGUE, type Endpoint, endpoint, fillPath, type Origin } from './service/catalogue.js';
export { type ErrorKind, OpacError, UsageError } from './service/errors.js';
export { KINDS, type Kind } from './service/kinds.js';
export { buildQuery, type Search } from './service/query.js';
