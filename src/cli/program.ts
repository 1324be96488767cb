/** Turns the command descriptions into a commander program; a noun's commands are loaded only when it is named. */
import { Command, type CommanderError, Option } from 'commander';
import { UsageError } from '../service/errors.js';
import { VERSION } from '../service/version.js';
import type { CommandDescription } from './command/command.js';
import type { Input, OptionDescription } from './command/option.js';
import { commandEnd, helpStyle, isExplainedOnce, nounEnd, PROGRAM_END, pageOf } from './help/help.js';
import {
  refuseHelpOfUnknown,
  refuseLateVerb,
  refuseMistypedVerb,
  refuseOtherNoun,
  unknownCommand,
  unknownTopic,
} from './help/mistyped.js';
import { type HelpEnd, type HelpPage, helpWidth, renderEnd } from './help/page.js';
import { TOPICS, topicText } from './help/topics.js';
import { NOUNS, type Noun } from './nouns.js';
import { GLOBAL_OPTIONS, globalOptionsBeside } from './options/global.js';
import { isUnusedIn } from './options/output-kind.js';
import { type Terminal, terminalOf } from './output/terminal/terminal.js';

export type Dispatch = (description: CommandDescription, input: Input) => Promise<void>;

export interface Screen {
  readonly write: (text: string) => void;
  readonly terminal: Terminal;
  /** As typed: whether help is asked for, and whether `--` makes words of what follows. */
  readonly argv: readonly string[];
}

/** The whole command tree; `dispatch` runs the command that was named. */
export function buildProgram(dispatch: Dispatch, screen: Screen): Command {
  const { terminal } = screen;
  const program = new Command('opac')
    .description(
      'Find, look at, count, compare and export the collection records that museums publish over HTTP.',
    )
    .usage('<command> [options]')
    .version(VERSION, '-V, --version', 'print the version')
    .enablePositionalOptions()
    // An unknown command is reported before the options after it.
    .exitOverride((error) => {
      const [word, next] = program.args;
      if (error.code === 'commander.unknownOption' && word !== undefined && !word.startsWith('-')) {
        throw unknownCommand(word, next);
      }
      throw error;
    })
    .configureOutput({
      writeOut: screen.write,
      writeErr: () => {},
      getOutHasColors: () => terminal.colors > 0,
    })
    .configureHelp(helpStyle(terminal))
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help');
  addOptions(program, GLOBAL_OPTIONS);
  for (const noun of NOUNS) addNoun(program, noun, dispatch, screen);
  addHelp(program, screen);
  program.argument('[command]').allowExcessArguments();
  program.action(() => {
    const [word, next] = program.args;
    if (word !== undefined) throw unknownCommand(word, next);
    program.outputHelp();
  });
  program.addHelpText('after', () => renderEnd(PROGRAM_END, terminal));
  return program;
}

/** The program's own page of help, for the bundler to keep (help/built.ts). */
export function programHelp(): HelpPage & HelpEnd {
  const screen: Screen = { write: () => {}, terminal: terminalOf({}, {}), argv: [] };
  return { ...pageOf(buildProgram(async () => {}, screen)), ...PROGRAM_END };
}

function addNoun(program: Command, noun: Noun, dispatch: Dispatch, screen: Screen): void {
  const { terminal, argv } = screen;
  const command = program.command(noun.name).summary(noun.summary).description(sentence(noun.summary));
  command.helpGroup(noun.group).helpCommand(false).addHelpOption(hiddenHelp()).enablePositionalOptions();
  // commander parses what follows the noun after this.
  program.hook('preSubcommand', async (_, named) => {
    if (named !== command) return;
    const { commands } = await noun.load();
    // For `opac objects --mock list`; the help shows them elsewhere.
    const isGroup = commands.every(({ name }) => name !== noun.name);
    if (isGroup) refuseHelpOfUnknown(noun.name, argv, commands);
    if (isGroup)
      addOptions(
        command,
        GLOBAL_OPTIONS.map((option) => ({ ...option, hidden: true })),
      );
    for (const description of commands) {
      if (description.name === noun.name) describe(command, description, dispatch, terminal);
      else addVerb(command, description, commands, dispatch, screen);
    }
    if (command.commands.length > 0) {
      command.usage('<command> [options]').addHelpText('after', () => nounEnd(noun.name, commands, terminal));
    }
  });
}

function hiddenHelp(): Option {
  return new Option('-h, --help', 'show this help').hideHelp();
}

function addVerb(
  noun: Command,
  description: CommandDescription,
  siblings: readonly CommandDescription[],
  dispatch: Dispatch,
  { terminal, argv }: Screen,
): void {
  const verb = noun.command(description.name, { isDefault: description.isDefault === true });
  verb.addHelpOption(hiddenHelp()).helpCommand(false);
  const run: Dispatch = async (named, input) => {
    const [first] = input.arguments;
    if (description.isDefault && first !== undefined && !argv.includes('--')) {
      if (noun.args[0] === first) refuseOtherNoun(noun.name(), input.arguments, description);
      if (noun.args[0] === first) refuseMistypedVerb(noun.name(), first, siblings);
      else refuseLateVerb(noun.name(), noun.args[0], first, siblings);
    }
    await dispatch(named, input);
  };
  describe(verb, description, run, terminal);
  if (description.isDefault) verb.summary(`${description.summary} (default)`);
}

function describe(
  command: Command,
  description: CommandDescription,
  dispatch: Dispatch,
  terminal: Terminal,
): void {
  command.summary(description.summary).description(sentence(description.summary));
  for (const { name, summary, required, variadic } of description.arguments ?? []) {
    const word = variadic ? `${name}...` : name;
    command.argument(required ? `<${word}>` : `[${word}]`, summary);
  }
  const { options = [], output = 'rows' } = description;
  addOptions(command, options);
  addOptions(
    command,
    globalOptionsBeside(options).map((option) =>
      isExplainedOnce(option) || isUnusedIn(output, option) ? { ...option, hidden: true as const } : option,
    ),
  );
  command.addHelpText('after', () => commandEnd(description, terminal));
  // Too many arguments are refused later, with a better message than commander's.
  command.allowExcessArguments().exitOverride((error) => {
    throw usageErrorOf(error, `${nameOf(command)} --help`, otherVerb(command, error)) ?? error;
  });
  command.action(async () => {
    const options = { ...given(command.parent?.parent), ...given(command.parent), ...given(command) };
    await dispatch(description, { arguments: command.args, options });
  });
}

/** The verb that has the option which this one has not, or is called so: `objects list --excel`, `--count`. */
function otherVerb(command: Command, { message }: CommanderError): string | undefined {
  const flag = /unknown option '(--[^'=]+)/.exec(message)?.[1];
  const verbs = command.parent?.parent ? command.parent.commands : [];
  const named = verbs.find((verb) => `--${verb.name()}` === flag);
  if (named) return `did you mean "${nameOf(named)}"?`;
  const having = verbs.find(({ options }) => options.some(({ long }) => long === flag));
  return having && `"${nameOf(having)}" has it`;
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** The options given to a command, without commander's default for every `--no-…`. */
function given(command: Command | null | undefined): Record<string, unknown> {
  const options = Object.entries(command?.opts() ?? {});
  return Object.fromEntries(options.filter(([name]) => command?.getOptionValueSource(name) !== 'default'));
}

function addOptions(command: Command, descriptions: readonly OptionDescription[]): void {
  for (const { flags, summary, group, repeatable, hidden, ...others } of descriptions) {
    const option = new Option(flags, summary).default(others.default, others.default?.toString());
    if (group) option.helpGroup(group);
    if (hidden) option.hideHelp();
    if (repeatable)
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    command.addOption(option);
  }
}

function addHelp(program: Command, { write, terminal }: Screen): void {
  const help = program.command('help').argument('[words...]').summary('show help for a command or a topic');
  help.description(`Show help for a command or a topic: ${[...TOPICS.keys()].join(', ')}.`);
  help.helpGroup(NOUNS.at(-1)?.group ?? '').addHelpOption(hiddenHelp());
  addOptions(help, [HELP_FORMAT]);
  help.action(async (words: string[]) => {
    const [word, ...others] = words;
    const { format } = { ...given(program), ...given(help) };
    if (format !== undefined) return write(`${await helpAsJson(format, words)}\n`);
    const topic = TOPICS.get(words.join(' '));
    if (topic !== undefined) return write(`${topicText(topic, helpWidth(terminal))}\n`);
    if (word !== undefined && !NOUNS.some(({ name }) => name === word)) throw unknownTopic(word);
    await program.parseAsync([...(word === undefined ? [] : [word]), ...others, '--help'], { from: 'user' });
  });
}

const HELP_FORMAT: OptionDescription = { flags: '-f, --format <name>', summary: 'json: the help as data' };

async function helpAsJson(format: unknown, words: readonly string[]): Promise<string> {
  if (format !== 'json') throw new UsageError(`help cannot be written as ${format}`, 'use -f json');
  const { helpData } = await import('./help/data.js');
  const data = await helpData(words);
  if (data === undefined) throw unknownTopic(words.join(' '));
  return JSON.stringify(data, null, 2);
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** commander's error in our words; undefined when it has only shown help or the version. */
export function usageErrorOf(
  error: CommanderError,
  help = 'opac --help',
  better?: string,
): UsageError | undefined {
  if (error.exitCode === 0) return undefined;
  const [fact = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = better ?? suggestion?.replace(/^\(Did you mean (one of )?(.*)\?\)$/, 'did you mean $2?');
  const said = fact
    .replace(/'([^']*)'/g, '"$1"')
    // The value of a mistyped option may be a secret.
    .replace(/^(unknown option "[^"=]*)=.*"$/s, '$1"')
    .replace(/\.$/, '');
  const word = /^unknown option "(-[^-][^"]*)"$/.exec(said)?.[1];
  if (word !== undefined && !hint)
    return new UsageError(said, `see: ${help}; to search for the text, write -- before it: -- ${word}`);
  return new UsageError(said, hint || `see: ${help}`);
}
