/** The command line that goes on with an unfinished export. */

/** The same command with `--resume`. */
export function resumeCommand(command: string): string {
  return /(?:^|\s)--resume(?=\s|$)/.test(command) ? command : `${command} --resume`;
}
