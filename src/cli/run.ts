/** One run of the program: signals, the command, errors, exit code. */
import { CommanderError } from 'commander';
import { OpacError, UsageError } from '../service/errors.js';
import { forgetSecrets, keepSecret } from '../service/redact.js';
import { LONGEST_TIMER } from '../system/clock.js';
import { faultOf } from '../system/file-error.js';
import type { CommandDescription } from './command/command.js';
import { refuseExpandedPattern, refuseWithoutRecords } from './command/from-files.js';
import { type Input, wordsOfOptions } from './command/option.js';
import type { Context, World } from './context.js';
import { createContext } from './create-context.js';
import { exitCodeOf } from './exit-codes.js';
import { overview } from './help/overview.js';
import { errorFormatOf, globalOptionsOf } from './options/global.js';
import { refuseFormat } from './options/output-kind.js';
import { withEnvironment, withProfile } from './options/settings.js';
import { errorJson } from './output/error-json.js';
import { errorLines } from './output/error-lines.js';
import { present } from './output/present.js';
import { print } from './output/print.js';
import { errorOutput } from './output/terminal/error-output.js';
import { errorTerminalOf, terminalOf } from './output/terminal/terminal.js';
import { isClosedPipe } from './output/write.js';
import { buildProgram } from './program.js';

/**
 * Milliseconds in which a repeated signal counts as one: npx passes on a signal that the terminal has sent as well, and
 * libraries that clean up files (conf has one) raise it again.
 */
const SAME_SIGNAL = 500;

const SECRET_VARIABLES = ['OPAC_CLIENT_SECRET', 'OPAC_ACCESS_TOKEN', 'OPAC_BASIC_KEY'];

/** Runs one command of this process and gives the exit code. Never throws. */
export async function run(argv: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  let signalledAt = 0;
  const stop = (signal: NodeJS.Signals) => {
    // A second signal ends the process at once.
    if (interruption.signal.aborted && performance.now() - signalledAt > SAME_SIGNAL) process.exit(130);
    signalledAt ||= performance.now();
    interruption.abort(new OpacError('interrupted', `stopped by ${signal}`));
  };
  // The handlers stay: a signal raised again must not cut off the last message.
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  // The failed write reports that a file may not grow; with its default handler those libraries end the process.
  process.on('SIGXFSZ', () => {});
  process.stderr.on('error', () => {});
  const { stdin, stdout, stderr, env: environment } = process;
  return runIn({ stdin, stdout, stderr, environment, now: Date.now, signal: interruption.signal }, argv);
}

/** Runs one command in the given world. */
export async function runIn(outside: World, argv: readonly string[]): Promise<number> {
  const deadline = new AbortController();
  const world = { ...outside, signal: AbortSignal.any([outside.signal, deadline.signal]) };
  forgetSecrets();
  for (const name of SECRET_VARIABLES) keepSecret(world.environment[name]);
  const terminal = terminalOf(world.stdout, world.environment, {
    color: wordsOfOptions(argv).includes('--no-color') ? false : undefined,
  });
  let help = '';
  const program = buildProgram((description, input) => execute(world, argv, description, input, deadline), {
    write: (text) => {
      help += text;
    },
    terminal,
  });
  try {
    if (argv.length === 0) help = overview(terminal);
    else
      await program.parseAsync(argv, { from: 'user' }).catch((error) => {
        // commander throws when it has shown help or the version.
        if (!(error instanceof CommanderError)) throw error;
      });
    if (help !== '') await print(help, world.stdout);
    return 0;
  } catch (thrown) {
    if (isClosedPipe(thrown)) return 0;
    // An error that the interruption caused is reported as the interruption.
    const isCaused = world.signal.aborted && !(thrown instanceof OpacError);
    return report(isCaused ? world.signal.reason : thrown, argv, world);
  }
}

async function execute(
  world: World,
  argv: readonly string[],
  description: CommandDescription,
  typed: Input,
  deadline: AbortController,
): Promise<void> {
  const early: string[] = [];
  let notice = (line: string): void => void early.push(line);
  const profiles = profilesOf(world.environment, (line) => notice(line));
  const input = await withSettings(typed, description, world.environment, profiles);
  const settings = globalOptionsOf(input, world.environment);
  refuseFormat(description.output ?? 'items', settings, description.formats);
  if (settings.from.length > 0) {
    refuseWithoutRecords(description);
    refuseExpandedPattern(argv, description);
  }
  const parsed = description.parse ? description.parse(input as never) : input;
  if (settings.dryRun && description.dryRun === 'refused')
    throw new UsageError(
      '--dry-run cannot be used with this command',
      'it prints the requests of searches and lists',
    );
  const dryRunLog = settings.dryRun && description.dryRun !== 'own' ? [] : undefined;
  const { context, end } = createContext(world, settings, argv, profiles, dryRunLog);
  notice = context.note;
  early.forEach(notice);
  const alarm = armDeadline(deadline, settings.deadline);
  try {
    const work = () => description.run(context, parsed);
    if (settings.from.length > 0 && settings.output !== undefined) {
      const { refuseInput } = await import('../system/place.js');
      for (const output of settings.outputs) await refuseInput(output, (await context.files()).paths);
    }
    if (context.dryRunLog) {
      const { dryRun } = await import('./dry-run/dry-run.js');
      return await dryRun(work, context.dryRunLog, context);
    }
    const result = await work();
    if (result) await present(result, context);
  } finally {
    clearTimeout(alarm);
    await end();
  }
}

/** Opens the store of profiles when it is first asked for; a command has one. */
function profilesOf(
  { OPAC_CONFIG_DIR: directory }: World['environment'],
  notice: (line: string) => void,
): Context['profiles'] {
  let store: ReturnType<Context['profiles']> | undefined;
  return () => {
    store ??= import('../auth/store/profiles.js').then(
      ({ ProfileStore }) => new ProfileStore({ directory, notice }),
    );
    return store;
  };
}

/** The input with what environment and profile set beside it. A command that asks no deployment has no profile. */
async function withSettings(
  input: Input,
  { endpoints }: CommandDescription,
  environment: World['environment'],
  profiles: Context['profiles'],
): Promise<Input> {
  const named = withEnvironment(input, environment);
  const global = globalOptionsOf(named, environment);
  if (endpoints === undefined || global.mock || global.from.length > 0) return named;
  const { settingsInUse } = await import('./connect.js');
  const found = await settingsInUse(global, environment, profiles);
  return found ? withProfile(named, found.name, found.settings) : named;
}

function armDeadline(deadline: AbortController, within: number | undefined): NodeJS.Timeout | undefined {
  if (within === undefined) return undefined;
  const passed = () =>
    deadline.abort(
      new OpacError('deployment', `the command did not end within ${within / 1000} s`, {
        hint: 'raise --deadline, or ask for less',
        code: 'deadline',
      }),
    );
  return setTimeout(passed, Math.min(within, LONGEST_TIMER));
}

/** Prints the error on standard error and gives the exit code: 0 for a closed pipe. */
export function report(
  error: unknown,
  argv: readonly string[],
  { stderr, environment }: Pick<World, 'stderr' | 'environment'>,
): number {
  if (isClosedPipe(error)) return 0;
  const told = inWords(error);
  const exit = exitCodeOf(told);
  // Looked for among the words, because they may be what is wrong.
  const isJson = errorFormatOf(argv, environment) === 'json';
  const said = isJson
    ? errorJson(told, exit)
    : errorLines(told, { debug: wordsOfOptions(argv).includes('--debug') });
  errorOutput(stderr, isJson ? undefined : errorTerminalOf(stderr, environment)).say(said);
  return exit;
}

/** An error of the file system that nobody has put into words is a fault of this machine, not of the program. */
function inWords(error: unknown): unknown {
  const fault = faultOf(error);
  if (!fault || !(error instanceof Error && 'syscall' in error)) return error;
  const where = 'path' in error ? ` "${error.path}"` : '';
  const { reason, remedy, code } = fault;
  return new OpacError('internal', `cannot ${error.syscall}${where}: ${reason}`, {
    hint: remedy,
    code,
    cause: error,
  });
}
