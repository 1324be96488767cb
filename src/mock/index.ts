/// <reference types="node" preserve="true" />
/** The module `opac/mock`: the built-in museum, which simulates the service for tests of other programs. */
export { CATALOGUE } from '../service/endpoints/catalogue.js';
export { checkFault, type Fault, type FaultCondition, type FaultEffect, parseFault } from './faults/fault.js';
export { type Museum, startMuseum } from './museum.js';
export type { ChallengeForm, MuseumOptions, OAuthClient, OAuthOptions } from './options.js';
export type { LoggedRequest } from './server/request-log.js';
