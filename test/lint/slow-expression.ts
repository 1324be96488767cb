/** Whether a regular expression may take longer than in proportion to its text. */
import { analyse } from 'scslre';

export function isSlow(source: string, flags: string): boolean {
  // Reports of the kind `Move` are of those that begin anew at each character.
  return analyse({ source, flags }, { reportTypes: { Move: true } }).reports.length > 0;
}
