/** Errors as text: one line of what failed and what to do, with `--debug` the causes as well. */
import { OpacError } from '../../service/errors.js';
import { redactText } from '../../service/redact.js';
import { sanitizeLine } from './terminal/sanitize.js';

/** The line for an error; with `debug` also the chain of its causes, with stacks. */
export function formatError(error: unknown, { debug }: { readonly debug: boolean }): string {
  const lines = [`opac: ${formatSentence(error)}`];
  if (debug) lines.push(...formatCauses(error).map((line) => redactText(line)));
  return lines.join('\n');
}

function formatSentence(error: unknown): string {
  if (error instanceof OpacError)
    return error.hint ? sanitizeLine(`${error.message}; ${error.hint}`) : sanitizeLine(error.message);
  return internalError(error);
}

export function internalError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `internal error: ${sanitizeLine(message)}; this is a bug in opac; run again with --debug for details`;
}

function formatCauses(error: unknown): string[] {
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
