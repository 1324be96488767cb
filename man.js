// Makes the man pages from the help: opac(1), one page per noun, and one page per command.

/** Maximum length of a line of text. mandoc warns about source lines of more than 80 bytes. */
const WIDTH = 72;

/** Returns a map from file names to the text of the pages. `help` is the output of `opac help -f json`. */
export function manPages(help, date) {
  const { version, nouns, commands } = help;
  const page = (name, summary, sections) => [
    `${name}.1`,
    [
      `.TH ${name.toUpperCase()} 1 ${date} "opac ${version}"`,
      '.SH NAME',
      formatNameLine(name, summary),
      ...Object.entries(sections).flatMap(([title, lines]) =>
        lines.length > 0 ? [`.SH ${title}`, ...lines] : [],
      ),
      '',
    ].join('\n'),
  ];
  return new Map([
    page('opac', 'find, compare and export the collection records of museums', programSections(help)),
    ...nouns.flatMap(({ name, summary }) => {
      const own = commands.filter((command) => command.name.split(' ')[0] === name);
      if (own.length === 1 && own[0].name === name)
        return [page(`opac-${name}`, summary, commandSections(own[0]))];
      return [
        page(`opac-${name}`, summary, nounSections(own)),
        ...own.map((command) => page(pageName(command), command.summary, commandSections(command))),
      ];
    }),
  ]);
}

/** If the summary is too long for one line, uses only the part before its first comma, colon or semicolon. */
function formatNameLine(name, summary) {
  const line = `${name} \\- ${escapeRoff(summary)}`;
  return line.length < 80 ? line : line.replace(/[,:;] .*/, '');
}

function pageName({ name }) {
  return `opac-${name.replaceAll(' ', '-')}`;
}

function programSections({ nouns, commands, globalOptions, topics, ...help }) {
  return {
    SYNOPSIS: ['.B opac', '.I command', '.RI [ options ]'],
    COMMANDS: nouns.flatMap(({ name, summary }) =>
      entry(bold(`opac ${name}`), `${summary}; see opac-${name}(1)`),
    ),
    OPTIONS: globalOptions.flatMap(optionEntry),
    ENVIRONMENT: help.environment.flatMap(({ name, effect }) => entry(bold(name), effect)),
    'EXIT STATUS': help['exit-codes'].flatMap(({ code, meaning }) => entry(bold(String(code)), meaning)),
    EXAMPLES: examples(commands.filter(({ name }) => name.startsWith('objects '))),
    'SEE ALSO': text(`opac help <topic> prints the documentation. Topics: ${topics.join(', ')}.`),
  };
}

function nounSections(commands) {
  return {
    SYNOPSIS: commands.flatMap((command) => [synopsis(command), '.br']).slice(0, -1),
    COMMANDS: commands.flatMap((command) =>
      entry(bold(`opac ${command.name}`), `${command.summary}; see ${pageName(command)}(1)`),
    ),
    EXAMPLES: examples(commands.map((command) => ({ examples: command.examples.slice(0, 1) }))),
    'SEE ALSO': ['.BR opac (1)'],
  };
}

function commandSections(command) {
  return {
    SYNOPSIS: [synopsis(command)],
    DESCRIPTION: text(`${command.summary[0].toUpperCase()}${command.summary.slice(1)}.`),
    ARGUMENTS: command.arguments.flatMap(({ name, summary }) => entry(bold(name), summary)),
    OPTIONS: command.options.flatMap(optionEntry),
    EXAMPLES: examples([command]),
    'SEE ALSO': ['.BR opac (1)', 'describes the options of every command.'],
  };
}

function synopsis(command) {
  const terms = command.arguments.map(({ name, required, variadic }) => {
    const word = `${name}${variadic ? '...' : ''}`;
    return required ? `<${word}>` : `[${word}]`;
  });
  return `${bold(`opac ${command.name}`)} ${escapeRoff([...terms, '[options]'].join(' '))}`;
}

function optionEntry({ flags, summary, default: value }) {
  const shown = value === null ? '' : ` (default: ${value})`;
  // Omits an optional value, such as `[key]`: such an option accepts a value only to explain that a secret is not allowed there.
  return entry(bold(flags.replace(/ \[.*\]$/, '')), `${summary}${shown}`);
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

/** Returns the lines of a paragraph. */
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

/** roff treats a line that begins with a dot or an apostrophe as a command. `\&` before the line prevents this. */
function guard(line) {
  return line.replace(/^[.']/, '\\&$&');
}
