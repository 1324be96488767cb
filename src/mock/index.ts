/// <reference types="node" preserve="true" />
/** The built-in museum, for tests of programs that use the service. */
export { CATALOGUE } from '../service/endpoints/catalogue.js';
export { checkFault, type Fault, type FaultCondition, type FaultEffect, parseFault } from './faults/fault.js';
export { type Museum, startMuseum } from './museum.js';
export type { ChallengeForm, MuseumOptions, OAuthClient, OAuthOptions } from './options.js';
export type { LoggedRequest } from './server/request-log.js';
