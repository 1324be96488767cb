/** Prompts for a line or, without echo, for a secret. Without a terminal, some of them read from a pipe. */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { OpacError } from '../../service/errors.js';
import { abortable } from '../../system/abortable.js';

export interface Prompt {
  /** Undefined without a terminal: a pipe holds secrets, never an id, which is shown. Throws an OpacError on Ctrl-C. */
  ask(question: string): Promise<string | undefined>;
  /** Also from a pipe; undefined at the end of the input. Throws an OpacError on Ctrl-C. */
  line(question: string): Promise<string | undefined>;
  secret(question: string): Promise<string | undefined>;
  close(): void;
}

export interface PromptOptions {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly output: Writable;
  /** Told that a pipe is read, which may look like a hang. */
  readonly notice: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

const interrupted = () => new OpacError('interrupted', 'canceled');

export function createPrompt(options: PromptOptions): Prompt {
  return options.input.isTTY ? terminalPrompt(options) : pipePrompt(options);
}

function pipePrompt({ input, notice }: PromptOptions): Prompt {
  let reader: ReturnType<typeof createInterface> | undefined;
  let lines: AsyncIterator<string> | undefined;
  const next = async (question: string) => {
    notice(`${question}reading from standard input`);
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
  const line = new Promise<string | undefined>((resolve, reject) => {
    reader.once('SIGINT', () => {
      output.write('\n');
      reject(interrupted());
    });
    reader.once('close', () => resolve(undefined));
    reader.question(question, resolve);
  });
  return abortable(line, signal).finally(() => reader.close());
}

const EDITS: Readonly<Record<string, (text: string) => string>> = {
  '\b': (text) => [...text].slice(0, -1).join(''),
  '\x7f': (text) => [...text].slice(0, -1).join(''),
  // Ctrl-U
  '\x15': () => '',
};

/** Arrow and function keys, and the markers of a bracketed paste. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const ESCAPE_SEQUENCE = /\x1b(?:\[[0-9;]*[A-Za-z~]|O?[A-Za-z])/g;

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
            // What was pasted after the line belongs to the next prompt.
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
