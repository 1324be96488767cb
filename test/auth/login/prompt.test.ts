import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createPrompt } from '../../../src/auth/login/prompt.js';

/** A terminal: what is typed goes in, what is shown comes out, and raw mode is noted. */
function terminal() {
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

describe('a secret on a terminal', () => {
  it.each([
    ['typed', 'secret\r', 'secret'],
    ['corrected', 'secrex\x7ft\n', 'secret'],
    ['begun anew', 'wrong\x15secret\r', 'secret'],
    ['corrected beyond its beginning', '\x7f\b\x7fsecret\r', 'secret'],
    ['with characters of several units', 'sé🔑\x7f\r', 'sé'],
    ['with arrow keys between', [...'sec', '\x1b[D', '\x1bOC', ...'ret\r'], 'secret'],
    ['pasted in brackets', ['\x1b[200~secret\x1b[201~', '\r'], 'secret'],
    ['with a Ctrl-D that ends nothing', 'sec\x04ret\r', 'secret'],
    ['empty', '\r', ''],
  ])('is read when %s, and never shown', async (_, typed, secret) => {
    const { input, output, modes, shown } = terminal();
    const answer = createPrompt({ input, output, note: () => {} }).secret('Client secret: ');
    // A key comes in one piece, however many characters it sends.
    for (const key of typed) input.write(key);
    expect(await answer).toBe(secret);
    expect(shown()).toBe('Client secret: \n');
    expect(modes).toEqual([true, false]);
  });

  it('ends without an answer at Ctrl-D', async () => {
    const { input, output } = terminal();
    const answer = createPrompt({ input, output, note: () => {} }).secret('? ');
    input.write('\x04');
    expect(await answer).toBeUndefined();
  });

  it('ends with an interruption at Ctrl-C, the terminal as it was', async () => {
    const { input, output, modes, shown } = terminal();
    const answer = createPrompt({ input, output, note: () => {} }).secret('? ');
    input.write('secret\x03');
    await expect(answer).rejects.toMatchObject({ kind: 'interrupted' });
    expect(modes).toEqual([true, false]);
    expect(shown()).not.toContain('secret');
  });

  it('ends with the reason of the signal', async () => {
    const { input, output, modes } = terminal();
    const abort = new AbortController();
    const answer = createPrompt({ input, output, note: () => {}, signal: abort.signal }).secret('? ');
    abort.abort(new Error('stopped'));
    await expect(answer).rejects.toThrow('stopped');
    expect(modes).toEqual([true, false]);
  });

  it('is not asked for after the signal', async () => {
    const { input, output, modes, shown } = terminal();
    const signal = AbortSignal.abort(new Error('stopped'));
    const answer = createPrompt({ input, output, note: () => {}, signal }).secret('? ');
    await expect(answer).rejects.toThrow('stopped');
    expect([modes, shown()]).toEqual([[], '']);
  });

  it('leaves what was pasted behind it to the next question', async () => {
    const { input, output } = terminal();
    const prompt = createPrompt({ input, output, note: () => {} });
    const first = prompt.secret('? ');
    input.write('one\r\ntwo\r');
    expect(await first).toBe('one');
    expect(await prompt.secret('? ')).toBe('two');
  });
});

describe('a line on a terminal', () => {
  it('is read', async () => {
    const { input, output } = terminal();
    const answer = createPrompt({ input, output, note: () => {} }).lineFromTerminalOrPipe('Client id: ');
    input.write('museum\n');
    expect(await answer).toBe('museum');
  });

  it('is the last that is read, so that the process can end', () => {
    const { input, output } = terminal();
    const prompt = createPrompt({ input, output, note: () => {} });
    input.resume();
    prompt.close();
    expect(input.isPaused()).toBe(true);
  });

  it('ends without an answer when the input does', async () => {
    const { input, output } = terminal();
    const answer = createPrompt({ input, output, note: () => {} }).lineFromTerminalOrPipe('Client id: ');
    input.end();
    expect(await answer).toBeUndefined();
  });
});

describe('answers from a pipe', () => {
  it('are taken line by line, and it is said what is waited for', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const said: string[] = [];
    const prompt = createPrompt({ input, output, note: (message) => said.push(message) });
    input.end('first\r\nsecond');
    expect(await prompt.secret('Client secret: ')).toBe('first');
    expect(await prompt.lineFromTerminalOrPipe('Paste: ')).toBe('second');
    expect(await prompt.lineFromTerminalOrPipe('Paste: ')).toBeUndefined();
    expect(said[0]).toBe('Client secret: reading from standard input');
    expect(output.read()).toBeNull();
    prompt.close();
  });

  it('are secrets or what was pasted, never what is shown or sent', async () => {
    const input = new PassThrough();
    const prompt = createPrompt({ input, output: new PassThrough(), note: () => {} });
    input.end('the secret\n');
    expect(await prompt.lineFromTerminal('URL of the deployment: ')).toBeUndefined();
    expect(await prompt.secret('Client secret: ')).toBe('the secret');
    prompt.close();
  });
});
