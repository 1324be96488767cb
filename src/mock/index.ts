/** The built-in museum, for the tests of whoever talks to the service. */
export { CATALOGUE } from '../service/catalogue.js';
export type { Failure, Fault, When } from './faults/fault.js';
export { checkFault } from './faults/fault-check.js';
export { checkQuirks } from './faults/quirk-check.js';
export type { Change, Quirks } from './faults/quirks.js';
export { type LoggedRequest, type Museum, startMuseum } from './museum.js';
export type { ChallengeForm, MuseumOptions, OAuthClient, OAuthOptions } from './options.js';
