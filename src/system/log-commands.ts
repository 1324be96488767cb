/** Matches the first colon of `::` at the start of a line, and the spaces and colour codes before this colon. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with a control character
const COMMAND_START = /^((?:[^\S\r\n\u2028\u2029]|\x1b\[[\d;]*m)*):(?=:)/gm;

/**
 * Inserts spaces into commands, so that CI systems do not run them: `##vso[` (Azure Pipelines) and `##teamcity[` anywhere in a
 * line, `::error` at the start of a line (GitHub Actions).
 */
export function stripLogCommands(text: string): string {
  return text.replace(/##(?=\w*\[)/g, '# #').replace(COMMAND_START, '$1: ');
}
