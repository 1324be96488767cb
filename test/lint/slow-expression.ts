/** Checks whether the time of a regular expression may grow faster than the length of the text. */
import { analyse } from 'scslre';

export function isSlowExpression(source: string, flags: string): boolean {
  // The reports of the type `Move` are for expressions that start again at each character.
  return analyse({ source, flags }, { reportTypes: { Move: true } }).reports.length > 0;
}
