// Makes the man pages from the help: opac(1), and one page for each noun.

/** The width of a line in the source, which mandoc limits to 80 bytes. */
const WIDTH = 72;

/** The text of each page by its file name, from what `opac help -f json` prints. */
export function manPages(help, date) {
  const { version, nouns, commands } = help;
  const page = (name, summary, sections) => [
    `${name}.1`,
    [
      `.TH ${name.toUpperCase()} 1 ${date} "opac ${version}"`,
      '.SH NAME',
      `${name} \\- ${escapeRoff(summary)}`,
      ...Object.entries(sections).flatMap(([title, lines]) =>
        lines.length > 0 ? [`.SH ${title}`, ...lines] : [],
      ),
      '',
    ].join('\n'),
  ];
  return new Map([
    page('opac', 'find, compare and export the collection records of museums', programSections(help)),
    ...nouns.map(({ name, summary }) => {
      const own = commands.filter((command) => command.name.split(' ')[0] === name);
      return page(`opac-${name}`, summary, nounSections(own));
    }),
  ]);
}

function programSections({ nouns, commands, globalOptions, topics, ...help }) {
  return {
    SYNOPSIS: ['.B opac', '.I command', '.RI [ options ]'],
    COMMANDS: nouns.flatMap(({ name, summary }) =>
      entry(bold(`opac ${name}`), `${summary}; see opac-${name}(1)`),
    ),
    OPTIONS: globalOptions.flatMap((option) => optionEntry(option)),
    ENVIRONMENT: help.environment.flatMap(({ name, effect }) => entry(bold(name), effect)),
    'EXIT STATUS': help['exit-codes'].flatMap(({ code, meaning }) => entry(bold(String(code)), meaning)),
    EXAMPLES: examples(commands.filter(({ name }) => name.startsWith('objects '))),
    'SEE ALSO': text(`opac help <topic> prints the documentation. Topics: ${topics.join(', ')}.`),
  };
}

function nounSections(commands) {
  const terms = (command) =>
    command.arguments.map(({ name, required, variadic }) => {
      const word = `${name}${variadic ? '...' : ''}`;
      return required ? `<${word}>` : `[${word}]`;
    });
  const words = commands.flatMap((command) => command.arguments);
  return {
    SYNOPSIS: commands
      .flatMap((command) => [
        `${bold(`opac ${command.name}`)} ${escapeRoff([...terms(command), '[options]'].join(' '))}`,
        '.br',
      ])
      .slice(0, -1),
    COMMANDS: commands.flatMap(({ name, summary }) => entry(bold(`opac ${name}`), summary)),
    ARGUMENTS: unique(words).flatMap(({ name, summary }) => entry(bold(name), summary)),
    OPTIONS: unique(commands.flatMap(({ options }) => options)).flatMap((option) => {
      const having = commands.filter(({ options }) => options.some((each) => isSame(each, option)));
      const verbs = having.map(({ name }) => name.split(' ').at(-1));
      return optionEntry(option, having.length < commands.length ? ` (only ${verbs.join(', ')})` : '');
    }),
    EXAMPLES: examples(commands),
    'SEE ALSO': ['.BR opac (1)'],
  };
}

/** Several verbs share an option, but not always its default. */
const isSame = (one, other) =>
  ['name', 'flags', 'summary', 'default'].every((key) => one[key] === other[key]);

const unique = (rows) => rows.filter((row, at) => rows.findIndex((other) => isSame(other, row)) === at);

function optionEntry({ flags, summary, default: usual }, end = '') {
  const shown = usual === null ? '' : ` (default: ${usual})`;
  // An optional value is a secret, which the help does not show either.
  return entry(bold(flags.replace(/ \[.*\]$/, '')), `${summary}${shown}${end}`);
}

function examples(commands) {
  const lines = commands.flatMap((command) => command.examples);
  return lines
    .flatMap(({ purpose, command }) => [
      ...text(`${purpose}:`),
      '.PP',
      '.nf',
      `  ${escapeRoff(command)}`,
      '.fi',
      '.PP',
    ])
    .slice(0, -1);
}

function entry(term, description) {
  return ['.TP', term, ...text(description)];
}

/** A paragraph in short lines. */
function text(words) {
  const lines = [''];
  for (const word of escapeRoff(words).split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > WIDTH) lines.push(word);
    else lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines.map(guard);
}

const bold = (words) => `\\fB${escapeRoff(words)}\\fR`;

function escapeRoff(words) {
  return words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...');
}

/** A line that begins with a dot or a quote would be a request. */
function guard(line) {
  return line.replace(/^[.']/, '\\&$&');
}
