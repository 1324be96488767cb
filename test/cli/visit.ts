/** Runs the program in this process against a museum of its own. */
import { visitBy } from '../e2e/visit.js';
import { opac, type Surroundings } from './world.js';

export const visit = visitBy<Surroundings>(opac);
