/** Detects the capabilities of a stream: width, colours and characters. */
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

/** The minimum width of tables and charts. A narrower terminal wraps their lines. */
const MIN_WIDTH = 20;
const DEFAULT_WIDTH = 80;

/** `--no-color` takes precedence over `FORCE_COLOR`, and `FORCE_COLOR` over `NO_COLOR`, as in Node. */
export function detectTerminal(stream: Stream, environment: Environment, color?: false): Terminal {
  return {
    width: detectWidth(stream, environment),
    isTerminal: stream.isTTY === true,
    colors: color === false ? 0 : detectColors(stream, environment),
    unicode: showsUnicode(environment),
  };
}

/** In CI, standard error does not count as a terminal. Otherwise, the logs would contain every state of the progress line. */
export function detectErrorTerminal(stream: Stream, environment: Environment, color?: false): Terminal {
  const terminal = detectTerminal(stream, environment, color);
  const { CI } = environment;
  const isCi = CI !== undefined && !['', '0', 'false'].includes(CI);
  return isCi ? { ...terminal, isTerminal: false } : terminal;
}

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
  // Removes variables that FORCE_COLOR overrides, because Node would warn about them, and an empty NO_COLOR, which must have no
  // effect (https://no-color.org).
  const variables = isForced
    ? { ...environment, NO_COLOR: undefined, NODE_DISABLE_COLORS: undefined }
    : { ...environment, NO_COLOR: environment.NO_COLOR || undefined };
  return COLORS_BY_DEPTH[WriteStream.prototype.getColorDepth(variables)] ?? 16;
}

/** Variables of terminals on Windows that can show Unicode but do not set a locale. */
const WINDOWS_TERMINAL_VARIABLES = ['WT_SESSION', 'ConEmuTask', 'TERMINUS_SUBLIME', 'TERMINAL_EMULATOR'];

function showsUnicode(environment: Environment): boolean {
  // In every locale, the font of the Linux console has at most 512 characters.
  if (environment.TERM === 'linux') return false;
  const locale = environment.LC_ALL || environment.LC_CTYPE || environment.LANG;
  if (locale) return /utf-?8/i.test(locale);
  return (
    WINDOWS_TERMINAL_VARIABLES.some((name) => environment[name]) || environment.TERM_PROGRAM === 'vscode'
  );
}
