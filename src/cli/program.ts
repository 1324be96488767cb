/** Turns the command descriptions into a commander program: names, options and help; nothing is loaded before it is named. */
import { Command, type CommanderError, Option } from 'commander';
import { endpoint } from '../service/catalogue.js';
import { UsageError } from '../service/errors.js';
import { nearest } from '../service/nearest.js';
import { VERSION } from '../service/version.js';
import type { CommandDescription, Input, OptionDescription } from './command.js';
import { TOPICS } from './help-topics.js';
import { NOUNS, type Noun } from './nouns.js';
import { GLOBAL_OPTIONS } from './options/global.js';

/** Runs a command that was parsed: given its description and its input. */
export type Dispatch = (description: CommandDescription, input: Input) => Promise<void>;

interface Streams {
  readonly write: (text: string) => void;
  /** Columns of the terminal that shows the help. */
  readonly width: number;
}

/** The whole command tree; `dispatch` runs what was named. */
export function buildProgram(dispatch: Dispatch, streams: Streams): Command {
  const program = new Command('opac')
    .description(
      'Find, look at, count, compare and export the collection records that museums publish over HTTP.',
    )
    .usage('<command> [options]')
    .version(VERSION, '-V, --version')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: streams.write, writeErr: () => {}, getOutHelpWidth: () => streams.width })
    .configureHelp({
      sortSubcommands: false,
      styleTitle: (title) => title,
      showGlobalOptions: false,
      // A value that may be left out is one that is taken only to be refused with the reason: a secret.
      optionTerm: ({ flags }) => flags.replace(/ \[.*\]$/, ''),
    })
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help');
  addOptions(program, GLOBAL_OPTIONS);
  for (const noun of NOUNS) addNoun(program, noun, dispatch);
  addHelp(program);
  program.argument('[command]').allowExcessArguments();
  program.action(() => {
    const [word] = program.args;
    if (word !== undefined) throw unknownCommand(word);
    program.outputHelp();
  });
  program.addHelpText('after', EXAMPLES);
  return program;
}

const EXAMPLES = `
Examples:
  # look around in the built-in museum, no set-up needed
  $ opac objects list --mock
  # every object with images, into a spreadsheet
  $ opac objects export --mock --has-images -o objects.csv

More: opac help <command>, opac help ${[...TOPICS.keys()].join(', opac help ')}`;

/** Commands of version 2 that people know by name, and what took their place (INTERFACE.md "Removed methods"). */
const REMOVED: Readonly<Record<string, string>> = {
  roles: 'roles were removed from the service; see: opac relationships',
  objectroles: 'roles were removed from the service; see: opac relationships',
  personroles: 'roles were removed from the service; see: opac relationships',
};

function unknownCommand(word: string): UsageError {
  const near = nearest(word, [...NOUNS.map(({ name }) => name), 'help']);
  return new UsageError(
    `there is no command "${word}"`,
    REMOVED[word] ?? (near ? `did you mean "opac ${near}"?` : 'see: opac --help'),
  );
}

function addNoun(program: Command, noun: Noun, dispatch: Dispatch): void {
  const command = program.command(noun.name).summary(noun.summary).description(sentence(noun.summary));
  command
    .helpGroup(noun.group)
    .helpCommand(false)
    .helpOption('-h, --help', 'show this help')
    .enablePositionalOptions();
  // Filled in only when this noun was named, just before commander parses what follows it.
  program.hook('preSubcommand', async (_, named) => {
    if (named !== command) return;
    const { commands } = await noun.load();
    for (const description of commands) {
      if (description.name === noun.name) describe(command, description, dispatch);
      else addVerb(command, description, commands, dispatch);
    }
  });
}

function addVerb(
  noun: Command,
  description: CommandDescription,
  siblings: readonly CommandDescription[],
  dispatch: Dispatch,
): void {
  const verb = noun.command(description.name, { isDefault: description.isDefault === true });
  verb.helpOption('-h, --help', 'show this help').helpCommand(false);
  describe(verb, description, async (named, input) => {
    const [first] = input.arguments;
    if (description.isDefault && first !== undefined && noun.args[0] === first)
      refuseMistypedVerb(noun, first, siblings);
    await dispatch(named, input);
  });
}

/** `opac objects exprot` is a slip and not a search for "exprot". */
function refuseMistypedVerb(noun: Command, word: string, verbs: readonly CommandDescription[]): void {
  const names = verbs.map(({ name }) => name);
  const near = nearest(word, names);
  if (near !== undefined && near !== word) {
    throw new UsageError(
      `there is no command "${noun.name()} ${word}"`,
      `did you mean "opac ${noun.name()} ${near}"? To search for the word: opac ${noun.name()} list ${word}`,
    );
  }
  if (
    noun.registeredArguments.length === 0 &&
    verbs.find(({ isDefault }) => isDefault)?.arguments === undefined
  ) {
    throw new UsageError(`there is no command "${noun.name()} ${word}"`, `there is ${names.join(', ')}`);
  }
}

function describe(command: Command, description: CommandDescription, dispatch: Dispatch): void {
  command.summary(description.summary).description(sentence(description.summary));
  for (const { name, summary, required, variadic } of description.arguments ?? []) {
    const word = variadic ? `${name}...` : name;
    command.argument(required ? `<${word}>` : `[${word}]`, summary);
  }
  addOptions(command, description.options ?? []);
  const taken = new Set(command.options.flatMap(({ short, long }) => [short, long]));
  addOptions(
    command,
    GLOBAL_OPTIONS.map((option) => withoutTaken(option, taken)),
  );
  command.addHelpText('after', () => helpText(description));
  command.action(async () => {
    const options = { ...given(command.parent?.parent), ...given(command.parent), ...given(command) };
    await dispatch(description, { arguments: command.args, options });
  });
}

/** The options that were given to a command, without defaults: commander has one for every `--no-…`. */
function given(command: Command | null | undefined): Record<string, unknown> {
  const options = Object.entries(command?.opts() ?? {});
  return Object.fromEntries(options.filter(([name]) => command?.getOptionValueSource(name) !== 'default'));
}

/** A global option without the short letter that a command uses for something of its own. */
function withoutTaken(option: OptionDescription, taken: ReadonlySet<string | undefined>): OptionDescription {
  const [short, long] = option.flags.split(', ');
  return long !== undefined && taken.has(short) ? { ...option, flags: long } : option;
}

function addOptions(command: Command, descriptions: readonly OptionDescription[]): void {
  for (const { flags, summary, group, repeatable, hidden } of descriptions) {
    const option = new Option(flags, summary);
    if (group) option.helpGroup(group);
    if (hidden) option.hideHelp();
    if (repeatable)
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    command.addOption(option);
  }
}

function helpText({ examples, endpoints }: CommandDescription): string {
  const calls = (endpoints ?? []).map((id) => endpoint(id));
  const lines = examples.map(({ purpose, command }) => `  # ${purpose}\n  $ ${command}`);
  return [
    `\nExamples:\n${lines.join('\n')}`,
    ...(calls.length > 0
      ? [`\nAsks the service: ${calls.map(({ method, path }) => `${method} ${path}`).join(', ')}`]
      : []),
  ].join('\n');
}

function addHelp(program: Command): void {
  const help = program.command('help').argument('[words...]').summary('help on a command, or on a topic');
  help.description(`Help on a command, or on a topic: ${[...TOPICS.keys()].join(', ')}.`);
  help.helpGroup('Deployments and tools:');
  help.action(async (words: string[]) => {
    const topic = TOPICS.get(words.join(' '));
    if (topic) program.configureOutput().writeOut?.(`${topic}\n`);
    else await program.parseAsync([...words, '--help'], { from: 'user' });
  });
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** commander's own complaints in our words; undefined when it only ended after showing help or the version. */
export function usageErrorOf(error: CommanderError): UsageError | undefined {
  if (error.exitCode === 0) return undefined;
  const [fact = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = suggestion?.replace(/^\(Did you mean (one of )?(.*)\?\)$/, 'did you mean $2?');
  return new UsageError(fact.replace(/'([^']*)'/g, '"$1"').replace(/\.$/, ''), hint || 'see: opac --help');
}
