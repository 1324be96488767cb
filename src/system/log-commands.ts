/**
 * Without what a log takes for commands: `##vso[` and its like anywhere in a line (Azure Pipelines, TeamCity), `::error` at the
 * beginning of one (GitHub Actions).
 */
export function stripLogCommands(text: string): string {
  return text.replace(/##(?=\w*\[)/g, '# #').replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ');
}
