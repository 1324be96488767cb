/** Formats errors as text; with `--debug`, with their causes. */
import { OpacError } from '../../service/errors.js';
import { redactText } from '../../service/redact.js';
import { sanitizeLine } from './terminal/sanitize.js';

/** A chain of causes may be circular. */
const MAX_CAUSES = 40;

export function formatError(error: unknown, { debug }: { readonly debug: boolean }): string {
  const lines = [`opac: ${formatSentence(error)}`];
  if (debug) lines.push(...formatCauses(error).map((line) => redactText(line)));
  return lines.join('\n');
}

function formatSentence(error: unknown): string {
  if (error instanceof OpacError)
    return error.hint ? sanitizeLine(`${error.message}; ${error.hint}`) : sanitizeLine(error.message);
  return formatInternalError(error);
}

export function formatInternalError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `internal error: ${sanitizeLine(message)}; this is a bug in opac; run again with --debug for details`;
}

function formatCauses(error: unknown): string[] {
  const lines: string[] = [];
  for (let at = error; at !== undefined && lines.length < MAX_CAUSES; at = getCause(at))
    lines.push(
      `  ${at === error ? '' : 'caused by: '}${at instanceof Error ? (at.stack ?? at.message) : at}`,
    );
  return lines;
}

function getCause(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
