/** Creates the program from the command descriptions, with the library commander. */
import { Command, type CommanderError, Option } from 'commander';
import { UsageError } from '../service/errors.js';
import { findClosestName, findClosestSpelling } from '../service/suggest-name.js';
import { VERSION } from '../service/version.js';
import type { CommandDescription } from './description/command.js';
import { type CommandInput, getLongFlag, type OptionDescription } from './description/option.js';
import {
  createCommandFooter,
  createHelpStyle,
  createNounFooter,
  createProgramFooter,
  getHelpWidth,
  isExplainedInMainHelp,
} from './help/command-help.js';
import { renderPage } from './help/help-page.js';
import { PAGES, TOPICS } from './help/topics.js';
import { NOUNS, type Noun } from './nouns.js';
import { createInput } from './options/check-options.js';
import { EXPORT_OPTIONS } from './options/export.js';
import { GLOBAL_OPTIONS, listGlobalOptions } from './options/global.js';
import { SEARCH } from './options/groups.js';
import { isUnusedIn, limitFormats } from './options/output-kind.js';
import { getParser } from './options/parse.js';
import type { Terminal } from './output/terminal/terminal.js';

export type RunCommand = (description: CommandDescription, input: CommandInput) => Promise<void>;

export interface HelpOutput {
  readonly write: (text: string) => void;
  readonly terminal: Terminal;
}

/** `dispatch` runs the chosen command. */
export function buildProgram(dispatch: RunCommand, { write, terminal }: HelpOutput): Command {
  const program = new Command('opac')
    .description(
      'Find, look at, count, compare and export the collection records that museums publish over HTTP.',
    )
    .usage('<command> [options]')
    .version(VERSION, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .exitOverride(throwError)
    .configureOutput({
      writeOut: write,
      writeErr: () => {},
      outputError: () => {},
      getOutHasColors: () => terminal.colors > 0,
      getErrHasColors: () => terminal.colors > 0,
    })
    .configureHelp(createHelpStyle(terminal))
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help');
  addOptions(program, GLOBAL_OPTIONS);
  for (const noun of NOUNS) addNoun(program, noun, dispatch, terminal);
  addHelp(program, { write, terminal });
  program.addHelpText('after', () => createProgramFooter(terminal));
  return program;
}

function addNoun(program: Command, noun: Noun, dispatch: RunCommand, terminal: Terminal): void {
  const command = program.command(noun.name).summary(noun.summary).description(formatSentence(noun.summary));
  command.helpGroup(noun.group).helpCommand(false).addHelpOption(hideHelp()).enablePositionalOptions();
  // commander parses the words after the noun only after this hook, so the hook can still add commands.
  program.hook('preSubcommand', async (_, named) => {
    if (named !== command) return;
    const { commands } = await noun.load();
    const own = commands.find(({ name }) => name === noun.name);
    if (own) return configureCommand(command, own, dispatch, terminal);
    // Declares the global options again, for `opac objects --mock list`. Hides them, because `opac --help` shows them.
    addOptions(
      command,
      GLOBAL_OPTIONS.map((option) => ({ ...option, hidden: true })),
    );
    for (const description of commands) {
      const verb = command.command(description.name).addHelpOption(hideHelp()).helpCommand(false);
      configureCommand(verb, description, dispatch, terminal);
    }
    command
      .usage('<command> [options]')
      .addHelpText('after', () => createNounFooter(noun.name, commands, terminal));
  });
}

function hideHelp(): Option {
  return new Option('-h, --help', 'show this help').hideHelp();
}

function configureCommand(
  command: Command,
  description: CommandDescription,
  dispatch: RunCommand,
  terminal: Terminal,
): void {
  command.summary(description.summary).description(formatSentence(description.summary));
  for (const { name, summary, required, variadic } of description.arguments ?? []) {
    const word = variadic ? `${name}...` : name;
    command.argument(required ? `<${word}>` : `[${word}]`, summary);
  }
  const { options = [], output = 'items', formats } = description;
  addOptions(command, options);
  addOptions(
    command,
    listGlobalOptions(options).map((option) => ({
      ...limitFormats(output, option, formats),
      hidden: isExplainedInMainHelp(option) || isUnusedIn(output, option) || undefined,
    })),
  );
  command.addHelpText('after', () => createCommandFooter(description, terminal));
  command.action(async () => {
    const levels = [command.parent?.parent, command.parent, command];
    const given = Object.assign({}, ...levels.map(readGivenOptions)) as CommandInput;
    await dispatch(description, createInput(description, command.args, given));
  });
}

function readGivenOptions(command: Command | null | undefined): CommandInput {
  const options = Object.entries(command?.opts() ?? {});
  return Object.fromEntries(options.filter(([name]) => command?.getOptionValueSource(name) !== 'default'));
}

function addOptions(command: Command, descriptions: readonly OptionDescription[]): void {
  for (const description of descriptions) {
    const { flags, summary, group, repeatable, hidden } = description;
    const shown = description.defaultText ?? description.default;
    const option = new Option(flags, summary).default(shown, String(shown));
    if (group) option.helpGroup(group);
    if (hidden) option.hideHelp();
    const parse = getParser(description);
    let isGiven = false;
    if (!option.isBoolean())
      option.argParser((text: string, before: unknown) => {
        const flag = option.long ?? option.flags;
        // Without this error, opac would use only the last value, and the user would not notice.
        if (isGiven && !repeatable && (description.once || group === SEARCH))
          throw new UsageError(`${flag} was given twice`, 'give it only once');
        isGiven = true;
        const value = parse(text, flag);
        // For the first value, `before` is the text of the default instead of a list of earlier values.
        return repeatable ? [Array.isArray(before) ? before : [], value].flat() : value;
      });
    command.addOption(option);
  }
}

function addHelp(program: Command, { write, terminal }: HelpOutput): void {
  const help = program.command('help').argument('[words...]').summary('show help for a command or a topic');
  help.description(`Show help for a command or a topic: ${Object.keys(PAGES).join(', ')}.`);
  help.helpGroup(NOUNS.at(-1)?.group ?? '').addHelpOption(hideHelp());
  addOptions(help, [HELP_FORMAT]);
  help.action(async (words: string[]) => {
    const [word, ...others] = words;
    const { format } = { ...readGivenOptions(program), ...readGivenOptions(help) };
    if (format !== undefined) return write(`${await formatHelpJson(format, words)}\n`);
    const page = await TOPICS.get(words.join(' '))?.();
    if (page !== undefined)
      return write(terminal.isTerminal ? `${renderPage(page, getHelpWidth(terminal), terminal)}\n` : page);
    if (word !== undefined && !NOUNS.some(({ name }) => name === word)) throw createUnknownTopicError(word);
    await program.parseAsync([...(word === undefined ? [] : [word]), ...others, '--help'], { from: 'user' });
  });
}

const HELP_FORMAT: OptionDescription = {
  flags: '-f, --format <name>',
  summary: 'json: print the help as JSON',
};

async function formatHelpJson(format: unknown, words: readonly string[]): Promise<string> {
  if (format !== 'json') throw new UsageError(`help cannot be written as ${format}`, 'use -f json');
  const { createHelpJson } = await import('./help/help-json.js');
  const data = await createHelpJson(words);
  if (data === undefined) throw createUnknownTopicError(words.join(' '));
  return JSON.stringify(data, null, 2);
}

function formatSentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** Options that some commands lack, and the option to use instead. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '--limit': '--top <n>',
  '--rights': '--where image@copyright="<value>"',
  '--empty': '--where "<field>="',
  '--missing': '--where "<field>="',
};

/** Throws a UsageError. If commander has shown help or the version, throws the error of commander unchanged. */
function throwError(this: Command, error: CommanderError): never {
  if (error.exitCode === 0) throw error;
  if (error.code === 'commander.help') {
    if ([this.parent, this].some((each) => Object.keys(readGivenOptions(each)).length > 0))
      throw new UsageError(`"${getFullName(this)}" needs a command`, `see: ${getFullName(this)} --help`);
    this.outputHelp();
    throw error;
  }
  const [fact = '', suggestion = ''] = error.message.replace(/^error: /, '').split('\n');
  const near = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(suggestion)?.[1];
  if (error.code === 'commander.unknownCommand') throw createUnknownCommandError(this);
  const message = fact
    .replace(/'([^']*)'/g, '"$1"')
    // The value of a mistyped option may be a secret.
    .replace(/^(unknown option "[^"=]*)=.*"$/s, '$1"')
    .replace(/\.$/, '');
  const word = /^unknown option "(-[^-][^"]*)"$/.exec(message)?.[1];
  const flag = /^unknown option "([^"]*)"$/.exec(message)?.[1];
  const names = this.options.flatMap(({ long }) => long ?? []);
  const longer = names.filter((long) => flag !== undefined && long.replace(/^--[a-z]+-/, '--') === flag);
  const meant = longer.join(' or ') || (near ?? names.find((long) => long.startsWith(`${flag}-`)));
  if (meant) throw new UsageError(message, `did you mean ${meant}?`);
  const replacement = REPLACEMENTS[flag ?? ''];
  if (replacement && names.includes(replacement.replace(/ .*/, '')))
    throw new UsageError(message, `use ${replacement}`);
  const others = this.parent?.commands.filter((each) => each.options.some(({ long }) => long === flag)) ?? [];
  if (others.length > 0)
    throw new UsageError(message, `it is an option of ${others.map(getFullName).join(', ')}`);
  const help = `see: ${getFullName(this)} --help`;
  if (word) throw new UsageError(message, `${help}; to search for the text, write -- before it: -- ${word}`);
  const isOption = EXPORT_OPTIONS.some((option) => getLongFlag(option) === flag);
  const field = names.includes('--where') && !isOption ? /^--([a-z]\w*)$/.exec(flag ?? '')?.[1] : undefined;
  throw new UsageError(message, field ? `to search a field, use --where "${field}=<value>"; ${help}` : help);
}

/** Words that users may type, and the commands that they probably mean. */
const VERBS: Readonly<Record<string, string>> = {
  list: 'list',
  get: 'get',
  count: 'count',
  export: 'export',
  search: 'list',
  find: 'list',
  show: 'get',
  report: 'report',
  fields: 'fields',
  duplicates: 'duplicates',
  mirror: 'sync',
};

function createUnknownCommandError(command: Command): UsageError {
  const [word = '', next = ''] = command.args;
  const prefix = command.parent ? `${command.name()} ` : '';
  const names = command.commands.map((each) => each.name());
  const verb = VERBS[findClosestSpelling(word, Object.keys(VERBS)) ?? ''];
  const isNoun = (text: string) => NOUNS.some(({ name }) => name === text);
  const list = command.name() === 'facets' && isNoun(word) ? `list ${word}` : undefined;
  const near = findClosestSpelling(word, names) ?? names.find((name) => name === verb) ?? list;
  const meant = near ?? (verb && !command.parent ? `${isNoun(next) ? next : 'objects'} ${verb}` : undefined);
  return new UsageError(
    `unknown command "${prefix}${word}"`,
    meant
      ? `did you mean "opac ${prefix}${meant}"?`
      : `see: opac ${isNoun(word) ? `${word} ` : prefix}--help`,
  );
}

function createUnknownTopicError(word: string): UsageError {
  const topics = [...TOPICS.keys()];
  const near = findClosestName(word, [...topics, ...NOUNS.map(({ name }) => name)]);
  return new UsageError(
    `unknown command or topic "${word}"`,
    near ? `did you mean "opac help ${near}"?` : `the topics are ${topics.join(', ')}`,
  );
}

function getFullName(command: Command): string {
  return command.parent ? `${getFullName(command.parent)} ${command.name()}` : command.name();
}
