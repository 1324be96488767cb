/** Runs opac in a folder and against a new museum, like test/e2e/opac.ts, but in this process. */
import { onTestFinished } from 'vitest';
import type { MuseumOptions } from '../../src/mock/index.js';
import { type ExportSetup, setUpExport as setUpSpawned } from '../e2e/export-setup.js';
import { createMuseumRunner } from '../e2e/run-against-museum.js';
import { type RunOptions as OwnOptions, type RunResult, opac as runInProcess } from './run-in-process.js';

export interface RunOptions extends OwnOptions {
  /** Concurrent runs must have the same folder, because the process has only one working folder. */
  readonly folder?: string;
}

export function opac(words: readonly string[], { folder, ...options }: RunOptions = {}): Promise<RunResult> {
  if (folder !== undefined) enter(folder);
  return runInProcess(words, options);
}

/** Changes the working folder until the test ends. */
function enter(folder: string): void {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(folder);
}

export const runAgainstMuseum = createMuseumRunner<RunOptions>(opac);

export interface FolderSetup extends Omit<ExportSetup, 'run' | 'begin'> {
  /** Runs a command line in the folder against the museum. */
  readonly run: (line: string, options?: RunOptions) => Promise<RunResult>;
}

export async function setUpExport(options?: MuseumOptions): Promise<FolderSetup> {
  const { begin: _, ...setup } = await setUpSpawned(options);
  return { ...setup, run: (line, given) => opac(setup.at(line), { folder: setup.folder, ...given }) };
}
