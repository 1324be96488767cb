/** Runs the program in this process against a museum of its own. */
import { museumRunner } from '../e2e/run-against-museum.js';
import { opac, type RunOptions } from './run-in-process.js';

export const runAgainstMuseum = museumRunner<RunOptions>(opac);
