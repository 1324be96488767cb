/** What the pages of help say: what a command is about, what it takes, examples; the options of every command come last. */
import type { Argument, Command, Help, Option } from 'commander';
import { endpoint } from '../../service/endpoints/catalogue.js';
import type { CommandDescription } from '../command/command.js';
import type { OptionDescription } from '../command/option.js';
import { GLOBAL_OPTIONS } from '../options/global.js';
import { OUTPUT } from '../options/groups.js';
import type { Terminal } from '../output/terminal/terminal.js';
import {
  type HelpEnd,
  type HelpList,
  type HelpPage,
  renderEnd,
  renderExamples,
  renderPage,
  renderSection,
  wrapInside,
} from './page.js';
import { TOPICS } from './topics.js';

export function isExplainedOnce({ group }: OptionDescription): boolean {
  return group !== OUTPUT;
}

export function helpStyle(terminal: Terminal): Partial<Help> {
  return {
    sortSubcommands: false,
    formatHelp: (command, helper) => {
      refuseUnknownWord(command);
      return renderPage(pageOf(command, helper), terminal);
    },
  };
}

/** Refuses `opac objects foo --help`, which would show the help of `opac objects`. */
function refuseUnknownWord(command: Command): void {
  const [word = '-'] = command.args;
  const isKnown = command.commands.some((each) => each.name() === word);
  if (command.commands.length === 0 || isKnown || word.startsWith('-')) return;
  command.error(`unknown command '${word}'`, { code: 'commander.unknownCommand' });
}

export function pageOf(command: Command, helper: Help = command.createHelp()): HelpPage {
  return {
    usage: helper.commandUsage(command),
    description: helper.commandDescription(command),
    lists: [
      ...listsOf(
        helper.visibleArguments(command),
        () => 'Arguments:',
        (each) => [argumentTerm(each), helper.argumentDescription(each)],
      ),
      ...listsOf(
        helper.visibleCommands(command),
        (each) => each.helpGroup() || 'Commands:',
        (each) => [commandTerm(each), helper.subcommandDescription(each)],
      ),
      ...listsOf(
        helper.visibleOptions(command),
        (each) => each.helpGroupHeading ?? 'Options:',
        (each) => [optionTerm(each), helper.optionDescription(each)],
      ),
    ],
  };
}

function listsOf<T>(
  all: readonly T[],
  headingOf: (one: T) => string,
  item: (one: T) => HelpList['items'][number],
): HelpList[] {
  return [...new Set(all.map(headingOf))].map((heading) => ({
    heading,
    items: all.filter((one) => headingOf(one) === heading).map(item),
  }));
}

function argumentTerm(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

function commandTerm(command: Command): string {
  return [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' ');
}

/** An optional value is a secret, accepted only to be refused with the reason, so the help does not show it. */
function optionTerm({ flags }: Option): string {
  return flags.replace(/ \[.*\]$/, '');
}

export const PROGRAM_END: HelpEnd = {
  examples: [
    { purpose: 'list objects of the built-in museum; needs no set-up', command: 'opac objects list --mock' },
    { purpose: 'show one object', command: 'opac objects get 20022 --mock' },
    { purpose: 'show the collection as charts', command: 'opac facets list objects --mock' },
    {
      purpose: 'export every object with images to a CSV file',
      command: 'opac objects export --mock --has-images -o objects.csv',
    },
  ],
  more: ['opac <command> --help', ...[...TOPICS.keys()].map((name) => `opac help ${name}`)].join(', '),
};

export function nounEnd(noun: string, verbs: readonly CommandDescription[], terminal: Terminal): string {
  const examples = verbs.flatMap((verb) => verb.examples.slice(0, 1));
  return renderEnd({ examples, more: `opac ${noun} <command> --help` }, terminal);
}

export function commandEnd({ examples, endpoints = [] }: CommandDescription, terminal: Terminal): string {
  const others = GLOBAL_OPTIONS.filter(isExplainedOnce).map(({ flags }) =>
    flags.replace(/^-\w, /, '').replace(/ .*/, ''),
  );
  const calls = endpoints.map((id) => endpoint(id)).map(({ method, path }) => `${method} ${path}`);
  return [
    ...renderSection('Global options (see: opac --help):', wrapInside(others.join(', '), terminal), terminal),
    '',
    ...renderExamples(examples, terminal),
    '',
    ...(calls.length > 0 ? renderSection('Requests:', calls, terminal) : []),
  ].join('\n');
}
