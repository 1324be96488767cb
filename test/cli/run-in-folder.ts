/** Runs the program in this process, as test/e2e/opac.ts spawns it: in a folder, and against a museum of its own. */
import { onTestFinished } from 'vitest';
import type { MuseumOptions } from '../../src/mock/index.js';
import { type ExportSetup, setUpExport as setUpSpawned } from '../e2e/export-setup.js';
import { museumRunner } from '../e2e/run-against-museum.js';
import { opac as here, type RunOptions as OwnOptions, type RunResult } from './run-in-process.js';

export interface RunOptions extends OwnOptions {
  /** Runs at the same time have the same folder, or need none. */
  readonly folder?: string;
}

export function opac(words: readonly string[], { folder, ...options }: RunOptions = {}): Promise<RunResult> {
  if (folder !== undefined) enter(folder);
  return here(words, options);
}

/** Until the test has ended. */
function enter(folder: string): void {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(folder);
}

export const runAgainstMuseum = museumRunner<RunOptions>(opac);

export interface FolderSetup extends Omit<ExportSetup, 'run' | 'begin'> {
  /** Runs a command line in the folder against the museum. */
  readonly run: (line: string, options?: RunOptions) => Promise<RunResult>;
}

export async function setUpExport(options?: MuseumOptions): Promise<FolderSetup> {
  const { begin: _, ...setup } = await setUpSpawned(options);
  return { ...setup, run: (line, given) => opac(setup.at(line), { folder: setup.folder, ...given }) };
}
