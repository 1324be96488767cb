/** A museum in this process, and an empty folder to which the built program exports. */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { Manifest } from '../../src/export/verify/manifest.js';
import { type Museum, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import {
  createFolder,
  opac,
  type RunOptions,
  type RunResult,
  splitCommandLine,
  start,
  waitForEnd,
} from './opac.js';

export interface ExportSetup {
  readonly museum: Museum;
  readonly folder: string;
  readonly path: (name: string) => string;
  /** Returns the sorted names of the files in the folder. */
  readonly names: () => Promise<string[]>;
  /** Returns the decompressed text of a file. `http://museum` replaces the URL of the museum, which differs in each test. */
  readonly text: (name: string) => Promise<string>;
  readonly manifest: (name: string) => Promise<Manifest>;
  /** Returns the words of a command line, with the URL of the museum. */
  readonly at: (line: string) => string[];
  /** Runs a command line in the folder against the museum, to its end. */
  readonly run: (line: string, options?: RunOptions) => Promise<RunResult>;
  /** Like `run`, but returns the process without waiting for its end. */
  readonly begin: (line: string, options?: RunOptions) => ChildProcess;
}

/** Creates the museum and the folder, and removes both when the test ends. */
export async function setUpExport(options: MuseumOptions = {}): Promise<ExportSetup> {
  const museum = await startMuseum(options);
  onTestFinished(() => museum.close());
  const folder = await createFolder();
  const path = (name: string) => join(folder, name);
  // The command in a message already contains the URL.
  const at = (line: string) =>
    splitCommandLine(line.includes(' --base-url ') ? line : `${line} --base-url ${museum.url}`);
  return {
    museum,
    folder,
    path,
    at,
    names: async () => (await readdir(folder)).sort(),
    text: async (name) => {
      const bytes = await readFile(path(name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes)
        .toString()
        .replaceAll(museum.url, 'http://museum');
    },
    manifest: async (name) => JSON.parse(await readFile(path(`${name}.manifest.json`), 'utf8')) as Manifest,
    run: (line, options) => opac(at(line), { folder, ...options }),
    begin: (line, options) => start(at(line), { folder, ...options }),
  };
}

const uninterrupted = new Map<string, Promise<string>>();

/** Returns the text that an uninterrupted run of `line` writes to the file `name`. Runs each line only once. */
export function readUninterrupted(name: string, line: string, options: MuseumOptions = {}): Promise<string> {
  const key = JSON.stringify([name, line, options]);
  const text = uninterrupted.get(key) ?? writeUninterrupted(name, line, options);
  uninterrupted.set(key, text);
  return text;
}

async function writeUninterrupted(name: string, line: string, options: MuseumOptions): Promise<string> {
  const setup = await setUpExport(options);
  const { code, stderr } = await setup.run(line);
  if (code !== 0) throw new Error(`the uninterrupted run failed: ${stderr}`);
  return setup.text(name);
}

/** Replaces a long text in a comparison, so that the message of a failed test stays readable. */
export function digest(text: string): string {
  return `${text.length} characters, ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** Waits until the museum has received this number of requests. */
export async function waitForRequests({ museum }: ExportSetup, requests: number): Promise<void> {
  while (museum.requests.length < requests) await pause(2);
}

/** Returns the command at the end of a message, without `opac`. */
export function findCommand(stderr: string): string {
  const [, command = 'no command is named'] = stderr.match(/(?:resume|the rest) with: opac (.*)\n$/) ?? [];
  return command;
}

/** Sends a signal to a process, and waits for its end. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<RunResult> {
  const end = waitForEnd(child);
  child.kill(signal);
  return end;
}
