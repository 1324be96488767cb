import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createPrompt } from '../../../src/auth/login/prompt.js';

/** Creates a terminal that records its output and each change of the raw mode. */
function createTerminal() {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(raw: boolean) {
      modes.push(raw);
      return input;
    },
  });
  const output = new PassThrough();
  let shown = '';
  output.on('data', (chunk) => {
    shown += chunk;
  });
  return { input, output, modes, shown: () => shown };
}

describe('the prompt for a secret on a terminal', () => {
  it.each([
    ['typed', 'secret\r', 'secret'],
    ['corrected', 'secrex\x7ft\n', 'secret'],
    ['deleted with Ctrl-U and typed again', 'wrong\x15secret\r', 'secret'],
    ['with backspaces before the first character', '\x7f\b\x7fsecret\r', 'secret'],
    ['with a deleted character of two UTF-16 units', 'sé🔑\x7f\r', 'sé'],
    ['with arrow keys', [...'sec', '\x1b[D', '\x1bOC', ...'ret\r'], 'secret'],
    ['pasted with bracketed paste', ['\x1b[200~secret\x1b[201~', '\r'], 'secret'],
    ['with Ctrl-D after the first character', 'sec\x04ret\r', 'secret'],
    ['empty', '\r', ''],
  ])('returns the secret and does not show it: %s', async (_, typed, secret) => {
    const { input, output, modes, shown } = createTerminal();
    const answer = createPrompt({ input, output, note: () => {} }).secret('Client secret: ');
    // A terminal sends all characters of a key in one chunk.
    for (const key of typed) input.write(key);
    expect(await answer).toBe(secret);
    expect(shown()).toBe('Client secret: \n');
    expect(modes).toEqual([true, false]);
  });

  it('returns undefined after Ctrl-D', async () => {
    const { input, output } = createTerminal();
    const answer = createPrompt({ input, output, note: () => {} }).secret('? ');
    input.write('\x04');
    expect(await answer).toBeUndefined();
  });

  it('throws an error after Ctrl-C, and ends the raw mode', async () => {
    const { input, output, modes, shown } = createTerminal();
    const answer = createPrompt({ input, output, note: () => {} }).secret('? ');
    input.write('secret\x03');
    await expect(answer).rejects.toMatchObject({ kind: 'interrupted' });
    expect(modes).toEqual([true, false]);
    expect(shown()).not.toContain('secret');
  });

  it('throws the reason of the signal, and ends the raw mode', async () => {
    const { input, output, modes } = createTerminal();
    const abort = new AbortController();
    const answer = createPrompt({ input, output, note: () => {}, signal: abort.signal }).secret('? ');
    abort.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    expect(modes).toEqual([true, false]);
  });

  it('prints nothing if the signal is already aborted', async () => {
    const { input, output, modes, shown } = createTerminal();
    const signal = AbortSignal.abort(new Error('stopped'));
    const answer = createPrompt({ input, output, note: () => {}, signal }).secret('? ');
    await expect(answer).rejects.toThrow('stopped');
    expect([modes, shown()]).toEqual([[], '']);
  });

  it('leaves the second pasted line to the next prompt', async () => {
    const { input, output } = createTerminal();
    const prompt = createPrompt({ input, output, note: () => {} });
    const first = prompt.secret('? ');
    input.write('one\r\ntwo\r');
    expect(await first).toBe('one');
    expect(await prompt.secret('? ')).toBe('two');
  });
});

describe('the prompt for a line on a terminal', () => {
  it('returns the line', async () => {
    const { input, output } = createTerminal();
    const answer = createPrompt({ input, output, note: () => {} }).lineFromTerminalOrPipe('Client id: ');
    input.write('museum\n');
    expect(await answer).toBe('museum');
  });

  it('pauses the input when it closes, so that the process can exit', () => {
    const { input, output } = createTerminal();
    const prompt = createPrompt({ input, output, note: () => {} });
    input.resume();
    prompt.close();
    expect(input.isPaused()).toBe(true);
  });

  it('returns undefined at the end of the input', async () => {
    const { input, output } = createTerminal();
    const answer = createPrompt({ input, output, note: () => {} }).lineFromTerminalOrPipe('Client id: ');
    input.end();
    expect(await answer).toBeUndefined();
  });
});

describe('the prompt without a terminal', () => {
  it('reads one line per question, and prints the question as a note', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const notes: string[] = [];
    const prompt = createPrompt({ input, output, note: (message) => notes.push(message) });
    input.end('first\r\nsecond');
    expect(await prompt.secret('Client secret: ')).toBe('first');
    expect(await prompt.lineFromTerminalOrPipe('Paste: ')).toBe('second');
    expect(await prompt.lineFromTerminalOrPipe('Paste: ')).toBeUndefined();
    expect(notes[0]).toBe('Client secret: reading from standard input');
    expect(output.read()).toBeNull();
    prompt.close();
  });

  it('returns secrets, but no lines for questions that need a terminal', async () => {
    const input = new PassThrough();
    const prompt = createPrompt({ input, output: new PassThrough(), note: () => {} });
    input.end('the secret\n');
    expect(await prompt.lineFromTerminal('URL of the deployment: ')).toBeUndefined();
    expect(await prompt.secret('Client secret: ')).toBe('the secret');
    prompt.close();
  });
});
