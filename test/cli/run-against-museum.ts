/** Runs opac in this process against a new museum. */
import { createMuseumRunner } from '../e2e/run-against-museum.js';
import { opac, type RunOptions } from './run-in-process.js';

export const runAgainstMuseum = createMuseumRunner<RunOptions>(opac);
