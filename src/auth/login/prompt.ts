/** Prompts for a line or, without echo, for a secret. Without a terminal, a pipe can answer some of the prompts. */
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { OpacError } from '../../service/errors.js';
import { abortable } from '../../system/abortable.js';

export interface Prompt {
  /** Returns undefined without a terminal, because a pipe has only a secret or a pasted URL. Throws an OpacError on Ctrl-C. */
  lineFromTerminal(question: string): Promise<string | undefined>;
  /** Returns a line from the terminal or a pipe; undefined at the end of the input. Throws an OpacError on Ctrl-C. */
  lineFromTerminalOrPipe(question: string): Promise<string | undefined>;
  /** Like `lineFromTerminalOrPipe`, but the terminal does not show the typed text. */
  secret(question: string): Promise<string | undefined>;
  close(): void;
}

interface PromptOptions {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly output: Writable;
  readonly note: (message: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export function createPrompt(options: PromptOptions): Prompt {
  return options.input.isTTY ? createTerminalPrompt(options) : createPipePrompt(options);
}

function createPipePrompt({ input, note }: PromptOptions): Prompt {
  let reader: ReturnType<typeof createInterface> | undefined;
  let lines: AsyncIterator<string> | undefined;
  const next = async (question: string) => {
    note(`${question}reading from standard input`);
    reader ??= createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    lines ??= reader[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    return done ? undefined : value;
  };
  return {
    lineFromTerminal: async () => undefined,
    lineFromTerminalOrPipe: next,
    secret: next,
    close: () => reader?.close(),
  };
}

function createTerminalPrompt(options: PromptOptions): Prompt {
  const line = (question: string) => readLine(options, question, options.output);
  return {
    lineFromTerminal: line,
    lineFromTerminalOrPipe: line,
    async secret(question) {
      options.signal?.throwIfAborted();
      options.output.write(question);
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
      return readLine(options, '', silent).finally(() => options.output.write('\n'));
    },
    close: () => options.input.pause(),
  };
}

async function readLine(
  { input, output, signal }: PromptOptions,
  question: string,
  echo: Writable,
): Promise<string | undefined> {
  const isSecret = echo !== output;
  const reader = createInterface({
    input,
    output: echo,
    historySize: 0,
    crlfDelay: Number.POSITIVE_INFINITY,
    ...(isSecret && { terminal: true }),
  });
  const lines: string[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    reader.once('SIGINT', () => {
      echo.write('\n');
      reject(new OpacError('interrupted', 'canceled'));
    });
    reader.once('close', resolve);
    reader.on('line', (line) => {
      lines.push(line);
      resolve();
    });
  });
  reader.setPrompt(question);
  reader.prompt();
  await abortable(ended, signal).finally(() => reader.close());
  const [first, ...others] = lines;
  // Pasted text after the line belongs to the next prompt.
  const rest = first === undefined ? '' : [...others, reader.line].join('\n');
  if (rest !== '') input.unshift(Buffer.from(rest));
  return first;
}
