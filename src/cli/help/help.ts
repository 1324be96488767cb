/** How help looks: what a command is about comes first, then what it takes, then examples; options of every command last. */
import type { Argument, Command, Help, Option } from 'commander';
import { endpoint } from '../../service/catalogue.js';
import type { CommandDescription } from '../command/command.js';
import type { Example, OptionDescription } from '../command/option.js';
import { GLOBAL_OPTIONS, OUTPUT } from '../options/global.js';
import { painter } from '../output/terminal/paint.js';
import type { Terminal } from '../output/terminal/terminal.js';
import { wrap } from '../output/terminal/text.js';
import { TOPICS } from './topics.js';

/** Lines longer than this are hard to read, however wide the terminal is. */
const WIDEST = 120;

/** Whether it is one of the global options that only the help of the program explains. */
export function isExplainedOnce({ group }: OptionDescription): boolean {
  return group !== OUTPUT;
}

/** Columns of a terminal that help takes. */
export function helpWidth({ width }: Terminal): number {
  return Math.min(width, WIDEST);
}

/** The parts of commander's help that are ours. */
export function helpStyle(terminal: Terminal): Partial<Help> {
  const { bold } = painter(terminal);
  return {
    sortSubcommands: false,
    // Beside a long name of a command as well: commander would let the terminal break the line anywhere.
    minWidthToWrap: 20,
    styleTitle: (title) => bold(title),
    subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' '),
    // A value that may be left out is one that is taken only to be refused with the reason: a secret.
    optionTerm: ({ flags }) => flags.replace(/ \[.*\]$/, ''),
    formatHelp,
  };
}

/** As commander has it, but commands before options. */
function formatHelp(this: Help, command: Command, helper: Help): string {
  const width = helper.padWidth(command, helper);
  const item = (term: string, text: string) => helper.formatItem(term, width, text, helper);
  const groups = <T extends Argument | Command | Option>(
    items: T[],
    headingOf: (one: T) => string,
    line: (one: T) => string,
  ): string[] => {
    const headings = [...new Set(items.map(headingOf))];
    return headings.flatMap((heading) =>
      helper.formatItemList(heading, items.filter((one) => headingOf(one) === heading).map(line), helper),
    );
  };
  return [
    `${helper.styleTitle('Usage:')} ${helper.commandUsage(command)}`,
    '',
    helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? WIDEST),
    '',
    ...groups(
      helper.visibleArguments(command),
      () => 'Arguments:',
      (argument) => item(argumentTerm(argument), helper.argumentDescription(argument)),
    ),
    ...groups(
      helper.visibleCommands(command),
      (each) => each.helpGroup() || 'Commands:',
      (each) => item(helper.subcommandTerm(each), helper.subcommandDescription(each)),
    ),
    ...groups(
      helper.visibleOptions(command),
      ({ helpGroupHeading }) => helpGroupHeading ?? 'Options:',
      (option) => item(helper.optionTerm(option), helper.optionDescription(option)),
    ),
    '',
  ].join('\n');
}

function argumentTerm(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

/** What the help of the program ends with. */
export function programEnd(terminal: Terminal): string {
  const topics = [...TOPICS.keys()].map((name) => `opac help ${name}`).join(', ');
  return [
    examplesText(PROGRAM_EXAMPLES, terminal),
    ...titled('More:', wrapped(`opac <command> --help, ${topics}`, terminal), terminal),
  ].join('\n');
}

const PROGRAM_EXAMPLES: readonly Example[] = [
  { purpose: 'look around in the built-in museum, no set-up needed', command: 'opac objects list --mock' },
  { purpose: 'look at one object', command: 'opac objects get 20022 --mock' },
  { purpose: 'the collection as charts', command: 'opac facets list objects --mock' },
  {
    purpose: 'every object with images, into a spreadsheet',
    command: 'opac objects export --mock --has-images -o objects.csv',
  },
];

/** What the help of a noun ends with: an example of each of its verbs. */
export function nounEnd(noun: string, verbs: readonly CommandDescription[], terminal: Terminal): string {
  const examples = verbs.flatMap((verb) => verb.examples.slice(0, 1));
  return [
    examplesText(examples, terminal),
    ...titled('More:', [`opac ${noun} <command> --help`], terminal),
  ].join('\n');
}

/** What the help of a command ends with. */
export function commandEnd({ examples, endpoints = [] }: CommandDescription, terminal: Terminal): string {
  const others = GLOBAL_OPTIONS.filter(isExplainedOnce).map(({ flags }) =>
    flags.replace(/^-\w, /, '').replace(/ .*/, ''),
  );
  const calls = endpoints.map((id) => endpoint(id)).map(({ method, path }) => `${method} ${path}`);
  return [
    ...titled('As every command (see: opac --help):', wrapped(others.join(', '), terminal), terminal),
    '',
    examplesText(examples, terminal),
    ...(calls.length > 0 ? titled('Asks the service:', calls, terminal) : []),
  ].join('\n');
}

function examplesText(examples: readonly Example[], terminal: Terminal): string {
  const { dim } = painter(terminal);
  const lines = examples.flatMap(({ purpose, command }) => [dim(`# ${purpose}`), `$ ${command}`]);
  return `${titled('Examples:', lines, terminal).join('\n')}\n`;
}

function titled(title: string, lines: readonly string[], terminal: Terminal): string[] {
  return [painter(terminal).bold(title), ...lines.map((line) => `  ${line}`)];
}

function wrapped(text: string, terminal: Terminal): string[] {
  return wrap(text, helpWidth(terminal) - 2, terminal);
}
