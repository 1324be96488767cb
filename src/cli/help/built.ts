/** The program's own page of help, which the bundler read off the command tree (build.js), so that none of it is loaded. */
import { parseJson } from '../../service/parse-json.js';
import { type Environment, type Stream, terminalOf } from '../output/terminal/terminal.js';
import { type HelpEnd, type HelpPage, renderEnd, renderPage } from './page.js';

/** JSON, put in by the bundler. */
declare const OPAC_HELP: string;

/** The text of `opac --help` for that stream. */
export function builtHelp(stream: Stream, environment: Environment): string {
  const terminal = terminalOf(stream, environment);
  const help = parseJson(OPAC_HELP) as HelpPage & HelpEnd;
  return `${renderPage(help, terminal)}${renderEnd(help, terminal)}\n`;
}
