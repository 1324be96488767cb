/** Searches for secrets in the output of all processes that tests start, and in temporary folders before they are removed. */
import childProcess, { ChildProcess } from 'node:child_process';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { clearSecrets as forgetKnownSecrets } from '../src/service/redact.js';
import { expectNoSecret, expectNoSecretIn, forgetSecrets, learnSecrets } from './secret-search.js';

const SEARCHED = Symbol.for('opac: searched');

/** Wraps a method, only once for all test files of a worker. */
function wrapMethod<F extends (this: never, ...words: never[]) => unknown>(
  object: object,
  name: string,
  change: (real: F) => F,
): void {
  const real = Reflect.get(object, name) as F;
  if (!Reflect.has(real, SEARCHED))
    Reflect.set(object, name, Object.assign(change(real), { [SEARCHED]: true }));
}

interface Started {
  readonly args?: readonly string[];
  readonly envPairs?: readonly string[];
}

// All functions that start a process without waiting for its end call this method.
wrapMethod<(this: ChildProcess, started: Started) => unknown>(ChildProcess.prototype, 'spawn', (real) => {
  return function (started) {
    const failed = real.call(this, started);
    watch(this, started);
    return failed;
  };
});

interface Ran {
  readonly stdout?: unknown;
  readonly stderr?: unknown;
}

for (const name of ['spawnSync', 'execFileSync'])
  wrapMethod<(program: string, args: readonly string[], options: unknown) => Ran>(
    childProcess,
    name,
    (real) => {
      return (program, args, options) => {
        const ran = real(program, args, options);
        const { stdout = ran, stderr = '' } = ran;
        const printed = { stdout: `${stdout}`, stderr: `${stderr}`, hasUuids: true };
        expectNoSecret({ words: listWords(args), environment: {}, ...printed });
        return ran;
      };
    },
  );

/** Folders that were searched. A test may remove a folder several times. */
const searchedFolders = new Set<string>();

wrapMethod<typeof promises.rm>(promises, 'rm', (real) => {
  return async (path, options) => {
    try {
      const folder = String(path);
      const isNew = options?.recursive && dirname(folder) === tmpdir() && !searchedFolders.has(folder);
      searchedFolders.add(folder);
      if (isNew) await expectNoSecretIn(folder);
    } finally {
      await real(path, options);
    }
  };
});

syncBuiltinESMExports();
forgetSecrets();
// Test files share modules. A secret of another test file may be an ordinary word in this one.
forgetKnownSecrets();

/** Returns the words after `opac` in a command line, which may start with Node, a shell or another program. */
function listWords(args: readonly string[]): readonly string[] {
  return args.slice(1 + args.findIndex((word) => /\bopac(?:\.js)?$/.test(word)));
}

function watch(child: ChildProcess, { args = [], envPairs = [] }: Started): void {
  // curl prints responses of the service, which may contain secrets. opac does not print them.
  if (args.some((word) => word.startsWith('curl '))) return;
  const environment = Object.fromEntries(envPairs.map((pair) => pair.split(/=(.*)/s)));
  learnSecrets(environment);
  const getInput = collectInput(child.stdin);
  const [stdout, stderr] = [collectOutput(child.stdout), collectOutput(child.stderr)];
  const search = () =>
    expectNoSecret({
      words: listWords(args.slice(1)),
      environment,
      stdin: getInput(),
      stdout: stdout(),
      stderr: stderr(),
    });
  try {
    onTestFinished(search);
  } catch {
    // The process was started outside a test.
    child.once('close', search);
  }
}

/** Collects the output of a stream. Wraps `push`, because a listener would start the stream before the test reads it. */
function collectOutput(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  if (stream) {
    const push = stream.push.bind(stream);
    stream.push = (chunk: Buffer | null, encoding) => {
      if (chunk) chunks.push(chunk);
      return push(chunk, encoding);
    };
  }
  return () => Buffer.concat(chunks).toString();
}

function collectInput(stream: Writable | null): () => string {
  let text = '';
  for (const name of stream ? ['write', 'end'] : [])
    wrapMethod<(this: unknown, ...words: unknown[]) => unknown>(stream as Writable, name, (real) => {
      return function (...words) {
        if (typeof words[0] === 'string') text += words[0];
        return real.apply(this, words);
      };
    });
  return () => text;
}
