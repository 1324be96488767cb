/** Matches the first colon of `::` at the start of a line, and the spaces and colour codes before this colon. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with a control character
const COMMAND_START = /^((?:[^\S\r\n\u2028\u2029]|\x1b\[[\d;]*m)*):(?=:)/gm;

/** Inserts spaces into text that CI systems would run as commands, such as `##vso[`, `##teamcity[` and `::error`. */
export function stripLogCommands(text: string): string {
  return text.replace(/##(?=\w*\[)/g, '# #').replace(COMMAND_START, '$1: ');
}
