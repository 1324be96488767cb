/** The help of commands: options, examples and requests. */
import { type Argument, type Command, Help, type Option } from 'commander';
import { getEndpoint } from '../../service/endpoints/catalogue.js';
import type { CommandDescription } from '../description/command.js';
import type { Examples, OptionDescription } from '../description/option.js';
import { GLOBAL_OPTIONS } from '../options/global.js';
import { OUTPUT_HEADING } from '../options/groups.js';
import { getStyles } from '../output/terminal/styles.js';
import type { Terminal } from '../output/terminal/terminal.js';
import { wrap } from '../output/terminal/text.js';
import { PAGES } from './topics.js';

/** Longer lines are hard to read, even on a wide terminal. */
const MAX_WIDTH = 120;
const INDENT = '  ';

export function getHelpWidth({ width }: Terminal): number {
  return Math.min(width, MAX_WIDTH);
}

export function isExplainedInMainHelp({ group }: OptionDescription): boolean {
  return group !== OUTPUT_HEADING;
}

export function createHelpStyle(terminal: Terminal): Partial<Help> {
  return {
    sortSubcommands: false,
    helpWidth: getHelpWidth(terminal),
    minWidthToWrap: 20,
    styleTitle: getStyles(terminal).bold,
    argumentTerm: formatArgument,
    subcommandTerm: (command) =>
      [command.name(), ...command.registeredArguments.map(formatArgument)].join(' '),
    optionTerm: formatOption,
    formatHelp: (command, helper) => {
      refuseUnknownWord(command);
      return Help.prototype.formatHelp.call(helper, command, helper);
    },
  };
}

/** Throws an error for `opac objects foo --help`, because commander would show the help of `opac objects`. */
function refuseUnknownWord(command: Command): void {
  const [word = '-'] = command.args;
  const isKnown = command.commands.some((each) => each.name() === word);
  if (command.commands.length === 0 || isKnown || word.startsWith('-')) return;
  command.error(`unknown command '${word}'`, { code: 'commander.unknownCommand' });
}

function formatArgument(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

/** Omits an optional value, such as `[key]`. opac accepts this secret only to explain that it must not be an argument. */
function formatOption({ flags }: Option): string {
  return flags.replace(/ \[.*\]$/, '');
}

export function createProgramFooter(terminal: Terminal): string {
  const examples = {
    'list objects of the built-in museum; needs no set-up': 'opac objects list --mock',
    'show one object': 'opac objects get 20022 --mock',
    'show the collection as charts': 'opac facets list objects --mock',
    'export every object with images to a CSV file': 'opac objects export --mock --has-images -o objects.csv',
  };
  const more = `opac <command> --help, opac help <topic>. Topics: ${Object.keys(PAGES).join(', ')}`;
  return createFooter(examples, more, terminal);
}

export function createNounFooter(
  noun: string,
  verbs: readonly CommandDescription[],
  terminal: Terminal,
): string {
  const examples = verbs.flatMap((verb) => Object.entries(verb.examples).slice(0, 1));
  return createFooter(Object.fromEntries(examples), `opac ${noun} <command> --help`, terminal);
}

function createFooter(examples: Examples, more: string, terminal: Terminal): string {
  return [
    '',
    ...formatExamples(examples, terminal),
    '',
    ...formatSection('More:', wrapIndented(more, terminal), terminal),
  ].join('\n');
}

export function createCommandFooter(
  { examples, endpoints = [] }: CommandDescription,
  terminal: Terminal,
): string {
  const others = GLOBAL_OPTIONS.filter(isExplainedInMainHelp).map(({ flags }) =>
    flags.replace(/^-\w, /, '').replace(/ .*/, ''),
  );
  const calls = endpoints.map((id) => getEndpoint(id)).map(({ method, path }) => `${method} ${path}`);
  return [
    '',
    ...formatSection(
      'Global options (see: opac --help):',
      wrapIndented(others.join(', '), terminal),
      terminal,
    ),
    '',
    ...formatExamples(examples, terminal),
    '',
    ...(calls.length > 0 ? formatSection('Requests:', calls, terminal) : []),
  ].join('\n');
}

function formatExamples(examples: Examples, terminal: Terminal): string[] {
  const { dim } = getStyles(terminal);
  const lines = Object.entries(examples).flatMap(([purpose, line]) => [dim(`# ${purpose}`), `$ ${line}`]);
  return formatSection('Examples:', lines, terminal);
}

function formatSection(title: string, lines: readonly string[], terminal: Terminal): string[] {
  return [getStyles(terminal).bold(title), ...lines.map((line) => INDENT + line)];
}

function wrapIndented(text: string, terminal: Terminal): string[] {
  return wrap(text, getHelpWidth(terminal) - INDENT.length);
}
