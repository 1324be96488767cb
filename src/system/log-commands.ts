/** Breaks commands to CI systems: `##vso[` anywhere in a line (Azure Pipelines, TeamCity), `::error` at its start (GitHub). */
export function stripLogCommands(text: string): string {
  return text.replace(/##(?=\w*\[)/g, '# #').replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ');
}
