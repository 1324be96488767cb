/** What a stream can show: its width, colours and characters. Each stream has its own, because one may be a pipe. */

export interface Terminal {
  /** Columns, at least 20. */
  readonly width: number;
  readonly isTerminal: boolean;
  readonly colors: Colors;
  readonly unicode: boolean;
}

/** 0 means no escape sequences at all. */
export type Colors = 0 | 16 | 256 | 16777216;

export interface Stream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly getColorDepth?: ((environment?: object) => number) | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Tables and charts need this much; a narrower terminal wraps their lines. */
const MIN_WIDTH = 20;
const DEFAULT_WIDTH = 80;

/**
 * What the stream can show. `color: false` is the `--no-color` of the command line and beats the environment; there,
 * `FORCE_COLOR` beats `NO_COLOR` (as in Node), and both beat what the stream says.
 */
export function detectTerminal(
  stream: Stream,
  environment: Environment,
  overrides: { readonly color?: false | undefined } = {},
): Terminal {
  return {
    width: widthOf(stream, environment),
    isTerminal: stream.isTTY === true,
    colors: colorsOf(stream, environment, overrides.color),
    unicode: showsUnicode(environment),
  };
}

/** The same of standard error: no terminal in CI, whatever the stream says. CI services set this, and keep what is drawn. */
export function detectErrorTerminal(
  stream: Stream,
  environment: Environment,
  overrides?: Parameters<typeof detectTerminal>[2],
): Terminal {
  const terminal = detectTerminal(stream, environment, overrides);
  const { CI } = environment;
  const isCi = CI !== undefined && !['', '0', 'false'].includes(CI);
  return isCi ? { ...terminal, isTerminal: false } : terminal;
}

/** People set `COLUMNS` to override the width of the terminal. */
function widthOf(stream: Stream, environment: Environment): number {
  const width = [Number(environment.COLUMNS), stream.columns].find(
    (columns) => Number.isInteger(columns) && Number(columns) > 0,
  );
  return Math.max(width ?? DEFAULT_WIDTH, MIN_WIDTH);
}

/** The values of `FORCE_COLOR`, as Node reads them. */
const FORCED: Readonly<Record<string, Colors>> = { '0': 0, false: 0, '1': 16, '2': 256, '3': 16777216 };

function colorsOf(stream: Stream, environment: Environment, color: false | undefined): Colors {
  const { FORCE_COLOR: force, NO_COLOR: refuse } = environment;
  if (color === false) return 0;
  const able = detectColors(stream, environment);
  if (force !== undefined) return FORCED[force] ?? (able || 16);
  if (refuse || stream.isTTY !== true || environment.TERM === 'dumb') return 0;
  return able;
}

const BY_DEPTH: Readonly<Record<number, Colors>> = { 1: 0, 4: 16, 8: 256, 24: 16777216 };

function detectColors(stream: Stream, environment: Environment): Colors {
  if (/^(truecolor|24bit)$/i.test(environment.COLORTERM ?? '')) return 16777216;
  // These two would override what Node knows of the terminal; colorsOf reads them.
  const { FORCE_COLOR: _force, NO_COLOR: _refuse, ...others } = environment;
  const depth = stream.isTTY === true ? stream.getColorDepth?.(others) : undefined;
  if (depth !== undefined) return BY_DEPTH[depth] ?? 16;
  return /256color/.test(environment.TERM ?? '') ? 256 : 16;
}

/** Terminals on Windows that show Unicode, where no locale says so. */
const WINDOWS_TERMINALS = ['WT_SESSION', 'ConEmuTask', 'TERMINUS_SUBLIME', 'TERMINAL_EMULATOR'];

function showsUnicode(environment: Environment): boolean {
  // The console of the Linux kernel has a font of 512 letters, whatever the locale.
  if (environment.TERM === 'linux') return false;
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG;
  if (locale) return /utf-?8/i.test(locale);
  return WINDOWS_TERMINALS.some((name) => environment[name]) || environment.TERM_PROGRAM === 'vscode';
}
