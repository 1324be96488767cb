/** One run of the program: signals, the command, errors, exit code. */
import { CommanderError } from 'commander';
import { OpacError, UsageError } from '../service/errors.js';
import { JsonLimitError } from '../service/parse-json.js';
import { clearSecrets, registerSecret } from '../service/redact.js';
import { MAX_TIMER_MS } from '../system/clock.js';
import { classifyFileError } from '../system/file-error.js';
import { type Context, createOnce, type Runtime } from './context.js';
import { createContext } from './create-context.js';
import type { CommandDescription } from './description/command.js';
import { assertReadsRecords, findFileFailure, refuseExpandedPattern } from './description/from-files.js';
import { type CommandInput, dropOperands } from './description/option.js';
import { getExitCode } from './exit-codes.js';
import { createOverview } from './help/overview.js';
import { listSecrets } from './options/environment.js';
import { readErrorFormat, readGlobalOptions } from './options/global.js';
import { assertFormatSupported } from './options/output-kind.js';
import { applyEnvironment, applyProfile } from './options/settings.js';
import { serializeError } from './output/error-json.js';
import { formatError } from './output/error-lines.js';
import { showInPager } from './output/pager.js';
import { print } from './output/print.js';
import { createErrorOutput } from './output/terminal/error-output.js';
import { detectErrorTerminal, detectTerminal } from './output/terminal/terminal.js';
import { isClosedPipe } from './output/write-output.js';
import { writeResult } from './output/write-result.js';
import { buildProgram } from './program.js';

/** Signals within this time count as one: npx forwards the signal of the terminal, and some libraries repeat it. */
const REPEATED_SIGNAL_MS = 500;

/** Returns the exit code. Never throws. */
export async function run(argv: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  let signalledAt = 0;
  const stop = (signal: NodeJS.Signals) => {
    if (interruption.signal.aborted && performance.now() - signalledAt > REPEATED_SIGNAL_MS)
      process.exit(130);
    signalledAt ||= performance.now();
    const by = signal === 'SIGINT' ? '' : ` by ${signal}`;
    interruption.abort(new OpacError('interrupted', `interrupted${by}`));
  };
  // Never removes the handlers: otherwise, a repeated signal would end the process before its last message.
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  // This signal means that a file reached the size limit. The failed write reports the same problem.
  process.on('SIGXFSZ', () => {});
  process.stderr.on('error', () => {});
  const { stdin, stdout, stderr, env: environment } = process;
  const runtime = { stdin, stdout, stderr, environment, now: Date.now, signal: interruption.signal };
  const page = (text: string) => stdout.isTTY && showInPager(text, environment, stdout.rows);
  return runWith({ ...runtime, showInPager: page }, argv);
}

export async function runWith(runtime: Runtime, argv: readonly string[]): Promise<number> {
  const deadline = new AbortController();
  const world = { ...runtime, signal: AbortSignal.any([runtime.signal, deadline.signal]) };
  clearSecrets();
  for (const secret of listSecrets(world.environment)) registerSecret(secret);
  const color = dropOperands(argv).includes('--no-color') ? false : undefined;
  const terminal = detectTerminal(world.stdout, world.environment, color);
  let help = '';
  const program = buildProgram((description, input) => execute(world, argv, description, input, deadline), {
    write: (text) => {
      help += text;
    },
    terminal,
  });
  try {
    if (argv.length === 0) help = createOverview(terminal);
    else
      await program.parseAsync(argv, { from: 'user' }).catch((error) => {
        // commander also throws after it has shown help or the version.
        if (!(error instanceof CommanderError)) throw error;
      });
    if (help !== '' && !world.showInPager?.(help)) await print(help, world.stdout);
    return 0;
  } catch (thrown) {
    if (isClosedPipe(thrown)) return 0;
    // After an interruption or `--deadline`, an error that is not an OpacError is only a consequence.
    const isCaused = world.signal.aborted && !(thrown instanceof OpacError);
    return printError(isCaused ? world.signal.reason : thrown, argv, world);
  }
}

async function execute(
  world: Runtime,
  argv: readonly string[],
  description: CommandDescription,
  typed: CommandInput,
  deadline: AbortController,
): Promise<void> {
  const queuedNotes: string[] = [];
  let note = (line: string): void => void queuedNotes.push(line);
  const profiles = createProfileOpener(world.environment, (line) => note(line));
  const input = await applySettings(typed, description, world.environment, profiles);
  const settings = readGlobalOptions(input, world.environment);
  assertFormatSupported(description.output ?? 'items', settings, description.formats);
  if (settings.from.length > 0) {
    assertReadsRecords(description);
    refuseExpandedPattern(argv, description);
  }
  const parsed = description.parse ? description.parse(input as never) : input;
  if (settings.dryRun && description.dryRun === 'refused')
    throw new UsageError(
      '--dry-run cannot be used with this command',
      'it works with commands that read from the service, such as list, export, check and api',
    );
  const dryRunLog = settings.dryRun && description.dryRun !== 'by-command' ? [] : undefined;
  const { context, end } = createContext(world, settings, argv, profiles, dryRunLog);
  note = context.note;
  queuedNotes.forEach(note);
  const alarm = startDeadline(deadline, settings.deadline);
  try {
    const work = () => description.run(context, parsed);
    if (settings.from.length > 0 && settings.output !== undefined) {
      const { assertNotInput } = await import('../system/output-path.js');
      for (const output of settings.outputs) await assertNotInput(output, (await context.files()).paths);
    }
    if (context.dryRunLog) {
      const { runDryRun } = await import('./dry-run/dry-run.js');
      return await runDryRun(work, context.dryRunLog, context);
    }
    const result = await work();
    if (result) await writeResult(result, context);
    const failure = await findFileFailure(context);
    if (failure) throw failure;
  } finally {
    clearTimeout(alarm);
    await end();
  }
}

function createProfileOpener(
  { OPAC_CONFIG_DIR: folder }: Runtime['environment'],
  note: (line: string) => void,
): Context['profiles'] {
  return createOnce(async () => {
    const { ProfileStore } = await import('../auth/store/profile-store.js');
    return new ProfileStore({ folder, note });
  });
}

async function applySettings(
  input: CommandInput,
  { endpoints }: CommandDescription,
  environment: Runtime['environment'],
  profiles: Context['profiles'],
): Promise<CommandInput> {
  const named = applyEnvironment(input, environment);
  const global = readGlobalOptions(named, environment);
  if (endpoints === undefined || global.mock || global.from.length > 0) return named;
  const { readProfileSettings } = await import('./connect.js');
  const found = await readProfileSettings(global, environment, profiles);
  return found ? applyProfile(named, found.name, found.settings) : named;
}

function startDeadline(deadline: AbortController, within: number | undefined): NodeJS.Timeout | undefined {
  if (within === undefined) return undefined;
  const passed = () =>
    deadline.abort(
      new OpacError('deployment', `the command did not end within ${within / 1000} s`, {
        hint: 'increase --deadline, or request fewer records',
        code: 'deadline',
      }),
    );
  return setTimeout(passed, Math.min(within, MAX_TIMER_MS));
}

/** Returns the exit code. For a closed pipe, prints nothing and returns 0. */
export function printError(
  error: unknown,
  argv: readonly string[],
  { stderr, environment }: Pick<Runtime, 'stderr' | 'environment'>,
): number {
  if (isClosedPipe(error)) return 0;
  const shownError = toOpacError(error);
  const exit = getExitCode(shownError);
  // Reads argv directly, because parsing the arguments may have failed.
  const isJson = readErrorFormat(argv, environment) === 'json';
  const output = isJson
    ? serializeError(shownError, exit)
    : formatError(shownError, { debug: dropOperands(argv).includes('--debug') });
  createErrorOutput(stderr, isJson ? undefined : detectErrorTerminal(stderr, environment)).say(output);
  return exit;
}

/** Converts errors that are not bugs in opac: file system errors, and records that exceed a limit of the parser. */
function toOpacError(error: unknown): unknown {
  if (error instanceof JsonLimitError)
    return new OpacError('deployment', `opac refuses a record: ${error.message}`, { cause: error });
  const fault = classifyFileError(error);
  if (!fault || !(error instanceof Error && 'syscall' in error)) return error;
  const where = 'path' in error ? ` "${error.path}"` : '';
  const { reason, remedy, code } = fault;
  return new OpacError('internal', `cannot ${error.syscall}${where}: ${reason}`, {
    hint: remedy,
    code,
    cause: error,
  });
}
