/** Errors as text: one line of what failed and what to do, with `--debug` the causes as well. */
import { OpacError } from '../../service/errors.js';
import { redact } from '../../service/redact.js';
import { oneLine } from './terminal/sanitise.js';

/** The line for an error; with `debug` also the chain of its causes, with stacks. */
export function errorLines(error: unknown, { debug }: { readonly debug: boolean }): string {
  const lines = [`opac: ${sentence(error)}`];
  if (debug) lines.push(...causes(error).map((line) => redact(line)));
  return lines.join('\n');
}

function sentence(error: unknown): string {
  if (error instanceof OpacError)
    return error.hint ? oneLine(`${error.message}; ${error.hint}`) : oneLine(error.message);
  return internalError(error);
}

export function internalError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `internal error: ${oneLine(message)}; this is a bug in opac; run again with --debug for details`;
}

function causes(error: unknown): string[] {
  const lines: string[] = [];
  for (
    let at: unknown = error;
    at !== undefined && lines.length < 40;
    at = at instanceof Error ? at.cause : undefined
  ) {
    lines.push(
      `  ${at === error ? '' : 'caused by: '}${at instanceof Error ? (at.stack ?? at.message) : String(at)}`,
    );
  }
  return lines;
}
