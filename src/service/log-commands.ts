/** Text that Azure Pipelines and TeamCity take for commands, wherever it stands in a line of a log: `##vso[` and its like. */
export function withoutLogCommands(text: string): string {
  return text.replace(/##(?=\w*\[)/g, '# #');
}
