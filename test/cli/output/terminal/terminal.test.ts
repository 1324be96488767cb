import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { detectTerminal } from '../../../../src/cli/output/terminal/terminal.js';

const tty = { isTTY: true, columns: 100 };
const TERM_256 = { TERM: 'xterm-256color' };
const pipe = {};

describe('detectTerminal: width', () => {
  it.each([
    [tty, {}, 100],
    [tty, { COLUMNS: '120' }, 120],
    [tty, { COLUMNS: 'wide' }, 100],
    [tty, { COLUMNS: '0' }, 100],
    [pipe, {}, 80],
    [pipe, { COLUMNS: '132' }, 132],
    [{ isTTY: true, columns: 0 }, {}, 80],
    [{ isTTY: true, columns: 5 }, {}, 20],
  ])('returns for the stream %j and the variables %j: %i columns', (stream, environment, width) => {
    expect(detectTerminal(stream, environment).width).toBe(width);
  });
});

describe('detectTerminal: colours', () => {
  it.each([
    [tty, {}, 0],
    [tty, TERM_256, 256],
    [pipe, TERM_256, 0],
    [tty, { TERM: 'xterm' }, 16],
    [tty, { COLORTERM: 'truecolor' }, 16777216],
    [tty, { ...TERM_256, COLORTERM: 'truecolor' }, 16777216],
    [pipe, { COLORTERM: 'truecolor' }, 0],
    [tty, { ...TERM_256, NO_COLOR: '1' }, 0],
    [tty, { ...TERM_256, NO_COLOR: '' }, 256],
    [tty, { COLORTERM: 'truecolor', TERM: 'dumb' }, 0],
    [pipe, { FORCE_COLOR: '' }, 16],
    [pipe, { FORCE_COLOR: '1', TERM: 'xterm-256color' }, 16],
    [pipe, { FORCE_COLOR: 'true', TERM: 'xterm-256color' }, 16],
    [pipe, { FORCE_COLOR: '3' }, 16777216],
    [tty, { ...TERM_256, FORCE_COLOR: '0' }, 0],
    [tty, { FORCE_COLOR: '2', NO_COLOR: '1', NODE_DISABLE_COLORS: '1' }, 256],
  ])('returns for the stream %j and the variables %j: %i colours', (stream, environment, colors) => {
    expect(detectTerminal(stream, environment).colors).toBe(colors);
  });

  it('causes no warning of Node for FORCE_COLOR with NO_COLOR', () => {
    const emit = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => emit.mockRestore());
    detectTerminal(tty, { FORCE_COLOR: '2', NO_COLOR: '1', NODE_DISABLE_COLORS: '1' });
    expect(emit).not.toHaveBeenCalled();
  });

  it('gives the option precedence over the environment', () => {
    expect(detectTerminal(tty, { FORCE_COLOR: '3' }, false).colors).toBe(0);
  });
});

describe('detectTerminal: Unicode', () => {
  it.each([
    [{}, false],
    [{ LANG: 'en_NZ.UTF-8' }, true],
    [{ LANG: 'de_DE.utf8' }, true],
    [{ LANG: 'en_US.ISO-8859-1' }, false],
    [{ LC_ALL: 'C', LANG: 'en_NZ.UTF-8' }, false],
    [{ LC_CTYPE: 'C.UTF-8', LANG: 'C' }, true],
    [{ WT_SESSION: 'a-b' }, true],
    [{ TERM: 'linux', LANG: 'en_NZ.UTF-8' }, false],
  ])('returns for the variables %j: %s', (environment, unicode) => {
    expect(detectTerminal(tty, environment).unicode).toBe(unicode);
  });
});
