/** The colons of a command at the start of a line, which may follow spaces and colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with a control character
const COMMAND_START = /^((?:[^\S\r\n\u2028\u2029]|\x1b\[[\d;]*m)*):(?=:)/gm;

/** Breaks commands to CI systems: `##vso[` anywhere in a line (Azure Pipelines, TeamCity), `::error` at its start (GitHub). */
export function stripLogCommands(text: string): string {
  return text.replace(/##(?=\w*\[)/g, '# #').replace(COMMAND_START, '$1: ');
}
