/** The abilities of a stream: width, colours and characters. Each stream has its own, because one may be a pipe. */
import { WriteStream } from 'node:tty';

export interface Terminal {
  /** Columns, at least 20. */
  readonly width: number;
  readonly isTerminal: boolean;
  readonly colors: Colors;
  readonly unicode: boolean;
}

/** Number of colours; 0 means no escape sequences at all. */
export type Colors = 0 | 16 | 256 | 16777216;

export interface Stream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The minimum width of tables and charts; a narrower terminal wraps their lines. */
const MIN_WIDTH = 20;
const DEFAULT_WIDTH = 80;

/**
 * Detects the abilities of a stream. `color: false` stands for `--no-color` and takes precedence over the environment, in which
 * `FORCE_COLOR` takes precedence over `NO_COLOR`, as in Node.
 */
export function detectTerminal(
  stream: Stream,
  environment: Environment,
  overrides: { readonly color?: false | undefined } = {},
): Terminal {
  return {
    width: detectWidth(stream, environment),
    isTerminal: stream.isTTY === true,
    colors: overrides.color === false ? 0 : detectColors(stream, environment),
    unicode: showsUnicode(environment),
  };
}

/** The same for standard error. In CI it is not a terminal, because CI services store all drawings in their logs. */
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

/** Users set `COLUMNS` to override the width of the terminal. */
function detectWidth(stream: Stream, environment: Environment): number {
  const width = [Number(environment.COLUMNS), stream.columns].find(
    (columns) => Number.isInteger(columns) && Number(columns) > 0,
  );
  return Math.max(width ?? DEFAULT_WIDTH, MIN_WIDTH);
}

const COLORS_BY_DEPTH: Readonly<Record<number, Colors>> = { 1: 0, 4: 16, 8: 256, 24: 16777216 };

function detectColors({ isTTY }: Stream, environment: Environment): Colors {
  const isForced = environment.FORCE_COLOR !== undefined;
  if (isTTY !== true && !isForced) return 0;
  // Node warns about variables that FORCE_COLOR overrides. An empty NO_COLOR has no effect (https://no-color.org).
  const variables = isForced
    ? { ...environment, NO_COLOR: undefined, NODE_DISABLE_COLORS: undefined }
    : { ...environment, NO_COLOR: environment.NO_COLOR || undefined };
  return COLORS_BY_DEPTH[WriteStream.prototype.getColorDepth(variables)] ?? 16;
}

/** Terminals on Windows that show Unicode but set no locale. */
const WINDOWS_TERMINALS = ['WT_SESSION', 'ConEmuTask', 'TERMINUS_SUBLIME', 'TERMINAL_EMULATOR'];

function showsUnicode(environment: Environment): boolean {
  // The console of the Linux kernel has a font of 512 characters in every locale.
  if (environment.TERM === 'linux') return false;
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG;
  if (locale) return /utf-?8/i.test(locale);
  return WINDOWS_TERMINALS.some((name) => environment[name]) || environment.TERM_PROGRAM === 'vscode';
}
