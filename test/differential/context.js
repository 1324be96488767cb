/** The context of a case: a folder, services, and the program, which is spawned as a user would start it. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Collection } from './service/collection.js';
import { createDeployment } from './service/deployment.js';
import { createRecordStyle } from './service/make-record.js';
import { Service } from './service/serve.js';

/** Milliseconds. Even on a busy machine, each command of a case needs much less time. */
const MAX_RUN = 120_000;

/** The exit codes in `opac help exit-codes`. */
const EXIT_CODES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130];

/** The program did not behave as documented. */
export class UnexpectedResult extends Error {}

/** Throws an UnexpectedResult if the condition is false. */
export function check(condition, message) {
  if (!condition) throw new UnexpectedResult(typeof message === 'function' ? message() : message);
}

export class Context {
  /** The command lines so far, for the report of a failure. */
  commands = [];
  #services = [];

  constructor(random, program, folder) {
    this.random = random;
    this.program = program;
    this.folder = folder;
  }

  static async create(random, program) {
    const folder = await mkdtemp(join(tmpdir(), 'opac-differential-'));
    await mkdir(join(folder, 'work'));
    return new Context(random, program, folder);
  }

  async close() {
    await Promise.all(this.#services.map((service) => service.stop()));
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Returns a path in the working directory of the program. */
  path(name) {
    return join(this.folder, 'work', name);
  }

  /** Adds a fact to the report of a failure. */
  note(fact) {
    this.commands.push(`# ${fact}`);
  }

  async names(name = '.') {
    return (await readdir(this.path(name)).catch(() => [])).sort();
  }

  /** Starts a service. `counts`: the number of records by kind. */
  async serve(counts, { style, deployment } = {}) {
    const { random } = this;
    const collection = new Collection(random, createRecordStyle(random, style), counts);
    const service = new Service(random.fork('service'), collection, createDeployment(random, deployment));
    await service.start();
    this.#services.push(service);
    return service;
  }

  /**
   * Runs the program with a service as its deployment. Returns its exit code and output. The exit code must be one of `exits`.
   * Calls `onStart` with a function that sends a signal to the program.
   */
  async run(words, { service, exits = [0], input = '', environment, onStart, patience } = {}) {
    const line = `opac ${words.map(quote).join(' ')}`;
    this.commands.push(line);
    const result = await this.#spawn(process.execPath, [this.program, ...words], {
      service,
      input,
      environment,
      onStart,
      patience,
    });
    this.commands.push(`  exit ${result.code}: ${takeLastLines(result.stderr)}`);
    check(!service?.errors.length, () => `the simulated service failed: ${service.errors[0].stack}`);
    checkResult(result, exits, line);
    return result;
  }

  /** Runs a printed command line in a shell in which `opac` is the program. */
  async runLine(line, options = {}) {
    const { exits = [0] } = options;
    this.commands.push(`sh -c: ${line}`);
    const program = `opac() { ${quote(process.execPath)} ${quote(this.program)} "$@"; }\n`;
    const result = await this.#spawn('/bin/sh', ['-c', `${program}${line}`], options);
    this.commands.push(`  exit ${result.code}: ${takeLastLines(result.stderr)}`);
    checkResult(result, exits, line);
    return result;
  }

  #spawn(command, words, { service, input = '', environment = {}, onStart, patience = MAX_RUN }) {
    return new Promise((resolve, reject) => {
      const child = spawn(command, words, {
        cwd: join(this.folder, 'work'),
        env: {
          PATH: process.env.PATH,
          HOME: this.folder,
          OPAC_CONFIG_DIR: join(this.folder, 'config'),
          ...(service && { OPAC_BASE_URL: service.url }),
          ...environment,
        },
      });
      const output = { stdout: [], stderr: [] };
      child.stdout.on('data', (chunk) => output.stdout.push(chunk));
      child.stderr.on('data', (chunk) => output.stderr.push(chunk));
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      const timer = setTimeout(() => child.kill('SIGKILL'), patience);
      onStart?.((signal) => child.kill(signal));
      child.on('error', reject);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        const [stdout, stderr] = [output.stdout, output.stderr].map((chunks) => Buffer.concat(chunks));
        resolve({ code: code ?? signal, stdout, stderr: stderr.toString() });
      });
    });
  }
}

/** Checks the exit code. Other codes than 0 must be documented and have a message. A stack trace is never allowed. */
function checkResult({ code, stderr }, exits, line) {
  const last = takeLastLines(stderr);
  check(exits.includes(code), `exit ${code}, expected ${exits.join(' or ')}: ${line}\n${last}`);
  if (code === 'SIGKILL') return;
  check(EXIT_CODES.includes(code), `exit ${code} is not documented: ${line}`);
  check(code === 0 || stderr.trim() !== '', `exit ${code} without a message: ${line}`);
  check(!/^\s+at .+:\d+:\d+\)?$/m.test(stderr), `a stack trace is printed: ${line}\n${last}`);
}

function takeLastLines(text) {
  return text.trim().split('\n').slice(-6).join('\n    ').slice(-1500);
}

export function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
