/** Creates the help as JSON for `opac help -f json`. */
import { REPORT_SCHEMA } from '../../check/reports/report-schema.js';
import { getEndpoint } from '../../service/endpoints/catalogue.js';
import { ERROR_CODES } from '../../service/error-codes.js';
import type { Json } from '../../service/json.js';
import { VERSION } from '../../service/version.js';
import type { CommandDescription } from '../description/command.js';
import type { OptionDescription } from '../description/option.js';
import { EXIT_CODE_MEANINGS } from '../exit-codes.js';
import { NOUNS, type Noun } from '../nouns.js';
import { FOREIGN_VARIABLES, OPAC_VARIABLES } from '../options/environment.js';
import { GLOBAL_OPTIONS } from '../options/global.js';
import { ERROR_SCHEMA } from '../output/error-json.js';
import { TOPICS } from './topics.js';

const TOPIC_JSON: Readonly<Record<string, () => Json>> = {
  errors: () => ({
    schema: ERROR_SCHEMA,
    codes: Object.entries(ERROR_CODES).map(([code, facts]) => ({ code, ...facts })),
  }),
  'exit-codes': () => EXIT_CODE_MEANINGS.map(([code, meaning]) => ({ code, meaning })),
  'check-report': () => REPORT_SCHEMA as unknown as Json,
  environment: () => [...OPAC_VARIABLES, ...FOREIGN_VARIABLES].map(([name, effect]) => ({ name, effect })),
};

/** Without words, returns all help. Returns undefined for unknown words. */
export async function createHelpJson(words: readonly string[]): Promise<Json | undefined> {
  const [word, verb, ...more] = words;
  if (word === undefined) return createFullHelp();
  const noun = NOUNS.find(({ name }) => name === word);
  const text = noun ? undefined : await TOPICS.get(words.join(' '))?.();
  if (text !== undefined) return TOPIC_JSON[word]?.() ?? { topic: word, text };
  if (!noun || more.length > 0) return undefined;
  const commands = await describeCommands(noun);
  if (verb === undefined) return commands;
  return commands.find(({ name }) => name === `${word} ${verb}`);
}

async function createFullHelp(): Promise<Json> {
  return {
    version: VERSION,
    nouns: NOUNS.map(({ name, summary }) => ({ name, summary })),
    commands: (await Promise.all(NOUNS.map(describeCommands))).flat(),
    globalOptions: GLOBAL_OPTIONS.map(describeOption),
    topics: [...TOPICS.keys()],
    ...Object.fromEntries(Object.entries(TOPIC_JSON).map(([name, data]) => [name, data()])),
  };
}

async function describeCommands({ name, load }: Noun) {
  const { commands } = await load();
  return commands.map((each) => ({
    ...describeCommand(each),
    name: [...new Set([name, each.name])].join(' '),
  }));
}

function describeCommand({ summary, examples, ...described }: CommandDescription) {
  const { arguments: declared = [], options = [], endpoints = [] } = described;
  return {
    summary,
    arguments: declared.map((each) => ({
      name: each.name,
      summary: each.summary,
      required: each.required === true,
      variadic: each.variadic === true,
      choices: each.choices ?? null,
    })),
    options: options.filter(({ hidden }) => !hidden).map(describeOption),
    examples: Object.entries(examples).map(([purpose, line]) => ({ purpose, command: line })),
    requests: endpoints.map((id) => getEndpoint(id)).map(({ method, path }) => `${method} ${path}`),
  };
}

function describeOption(option: OptionDescription) {
  const { flags, summary, group, repeatable, choices } = option;
  return {
    flags,
    summary,
    group: group?.replace(/:$/, '') ?? null,
    default: option.defaultText ?? option.default ?? null,
    repeatable: repeatable === true,
    choices: choices ?? null,
  };
}
