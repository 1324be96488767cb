/** A museum in this process and an empty folder: where the built program exports, and a test sees what it leaves behind. */
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { Manifest } from '../../src/export/verify/manifest.js';
import { type Museum, type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import { ended, newFolder, opac, type RunOptions, type RunResult, start, words } from './opac.js';

export interface ExportSetup {
  readonly museum: Museum;
  readonly folder: string;
  readonly path: (name: string) => string;
  /** Names of what lies in the folder. */
  readonly names: () => Promise<string[]>;
  /** The text of a file, decompressed; the address of the museum, which differs from test to test, is `http://museum` in it. */
  readonly text: (name: string) => Promise<string>;
  readonly manifest: (name: string) => Promise<Manifest>;
  /** The words of a command line that asks the museum. */
  readonly at: (line: string) => string[];
  /** Runs a command line in the folder against the museum, to its end. */
  readonly run: (line: string, options?: RunOptions) => Promise<RunResult>;
  /** The same, and gives the process. */
  readonly begin: (line: string, options?: RunOptions) => ChildProcess;
}

/** Sets the setup; it is taken down when the test has ended. */
export async function setUpExport(options: MuseumOptions = {}): Promise<ExportSetup> {
  const museum = await startMuseum(options);
  onTestFinished(() => museum.close());
  const folder = await newFolder();
  const path = (name: string) => join(folder, name);
  // The command that a message names has the address already.
  const at = (line: string) =>
    words(line.includes(' --base-url ') ? line : `${line} --base-url ${museum.url}`);
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

const wholes = new Map<string, Promise<string>>();

/** What an undisturbed run of that command line writes to `name`, from a museum with the same options; each is made once. */
export function undisturbed(name: string, line: string, options: MuseumOptions = {}): Promise<string> {
  const key = JSON.stringify([name, line, options]);
  const whole = wholes.get(key) ?? writeUndisturbed(name, line, options);
  wholes.set(key, whole);
  return whole;
}

async function writeUndisturbed(name: string, line: string, options: MuseumOptions): Promise<string> {
  const setup = await setUpExport(options);
  const { code, stderr } = await setup.run(line);
  if (code !== 0) throw new Error(`the undisturbed run failed: ${stderr}`);
  return setup.text(name);
}

/** Stands for a long text where two are compared, so that a difference can be read. */
export function digest(text: string): string {
  return `${text.length} characters, ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** Waits for the museum to have been asked that often. */
export async function asked({ museum }: ExportSetup, requests: number): Promise<void> {
  while (museum.requests.length < requests) await pause(2);
}

/** The command that a message ends with, for the program of these tests. */
export function commandIn(stderr: string): string {
  const [, command = 'no command is named'] = stderr.match(/(?:resume|the rest) with: opac (.*)\n$/) ?? [];
  return command;
}

/** The end of a process after that signal. */
export async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<RunResult> {
  const end = ended(child);
  child.kill(signal);
  return end;
}
