/**
 * Changes text that CI systems would run as commands: `##vso[` and similar anywhere in a line (Azure Pipelines, TeamCity), and
 * `::error` at the start of a line (GitHub Actions).
 */
export function stripLogCommands(text: string): string {
  return text.replace(/##(?=\w*\[)/g, '# #').replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ');
}
