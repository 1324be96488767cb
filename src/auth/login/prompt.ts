/** Questions to the person: a line, or a secret that does not show. Where there is no terminal, some answers come from a pipe. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { OpacError } from '../../service/errors.js';

export interface Prompt {
  /**
   * What the person answers; undefined without a terminal. A pipe holds secrets, so what stands in it is never taken for an
   * address or an id, which would be shown and sent. Throws an OpacError on Ctrl-C.
   */
  ask(question: string): Promise<string | undefined>;
  /** The next line without its end, also from a pipe; undefined at the end of the input. Throws as `ask` does. */
  line(question: string): Promise<string | undefined>;
  /** The same without echo. */
  secret(question: string): Promise<string | undefined>;
  /** Lets go of the input, so that the program can end. */
  close(): void;
}

export interface PromptOptions {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  /** Where questions go: standard error, because standard output is for data. */
  readonly output: Writable;
  /** Told what is read from a pipe: one that never ends must not look like a program that hangs. */
  readonly notice: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

const interrupted = () => new OpacError('interrupted', 'the question was not answered');

/** Asks on a terminal when the input is one. */
export function createPrompt(options: PromptOptions): Prompt {
  return options.input.isTTY ? terminalPrompt(options) : pipePrompt(options);
}

function pipePrompt({ input, notice }: PromptOptions): Prompt {
  let reader: ReturnType<typeof createInterface> | undefined;
  let lines: AsyncIterator<string> | undefined;
  const next = async (question: string) => {
    notice(`${question}reading it from standard input`);
    reader ??= createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    lines ??= reader[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    return done ? undefined : value;
  };
  return { ask: async () => undefined, line: next, secret: next, close: () => reader?.close() };
}

function terminalPrompt(options: PromptOptions): Prompt {
  return {
    ask: (question) => readLine(options, question),
    line: (question) => readLine(options, question),
    secret: (question) => readSecret(options, question),
    close: () => options.input.pause(),
  };
}

function readLine({ input, output, signal }: PromptOptions, question: string): Promise<string | undefined> {
  const reader = createInterface({ input, output });
  return new Promise<string | undefined>((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    reader.once('SIGINT', () => {
      // What is said of it stands on a line of its own.
      output.write('\n');
      reject(interrupted());
    });
    reader.once('close', () => {
      signal?.removeEventListener('abort', abort);
      resolve(undefined);
    });
    reader.question(question, resolve);
    if (signal?.aborted) abort();
  }).finally(() => reader.close());
}

/** What editing keys do to the text so far. */
const EDITS: Readonly<Record<string, (text: string) => string>> = {
  '\b': (text) => [...text].slice(0, -1).join(''),
  '\x7f': (text) => [...text].slice(0, -1).join(''),
  // Ctrl-U: all of it.
  '\x15': () => '',
};

/** Arrow keys and their like, and the marks around a bracketed paste. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const ESCAPE_SEQUENCE = /\x1b(?:\[[0-9;]*[A-Za-z~]|O?[A-Za-z])/g;

/** Reads keys in raw mode until Enter, so that the terminal echoes nothing. */
function readSecret({ input, output, signal }: PromptOptions, question: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let text = '';
    const decoder = new StringDecoder();
    const end = (settle: () => void) => {
      input.off('data', onData).off('end', onEnd);
      signal?.removeEventListener('abort', onAbort);
      input.setRawMode?.(false);
      input.pause();
      output.write('\n');
      settle();
    };
    const onEnd = () => end(() => resolve(text === '' ? undefined : text));
    const onAbort = () => end(() => reject(signal?.reason));
    const onData = (chunk: Buffer) => {
      const keys = [...decoder.write(chunk).replace(ESCAPE_SEQUENCE, '')];
      for (const [index, key] of keys.entries()) {
        if (key === '\x03') return end(() => reject(interrupted()));
        if (key === '\x04' && text === '') return onEnd();
        if (key === '\r' || key === '\n') {
          return end(() => {
            // What was pasted behind the line belongs to the next question.
            const rest = keys
              .slice(index + 1)
              .join('')
              .replace(/^\n/, '');
            if (rest) input.unshift(Buffer.from(rest));
            resolve(text);
          });
        }
        text = EDITS[key]?.(text) ?? (key < ' ' ? text : text + key);
      }
    };
    if (signal?.aborted) return reject(signal.reason);
    output.write(question);
    input.setRawMode?.(true);
    input.on('data', onData).on('end', onEnd);
    signal?.addEventListener('abort', onAbort, { once: true });
    input.resume();
  });
}
