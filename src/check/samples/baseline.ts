/** The baseline: a census kept in a file. */
import { UsageError } from '../../service/errors.js';
import { asObject, isObject } from '../../service/json.js';
import { RECORD_KINDS } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { didYouMean } from '../../service/suggest-name.js';
import * as v from '../../system/valibot.js';
import { CENSUS, type Census } from './census.js';

const BASELINE_VERSION = 1;

/** The text of a baseline: sorted and a line each, so that a diff shows what changed. */
export function serializeBaseline(census: Census): string {
  const text = JSON.stringify({ version: BASELINE_VERSION, ...census }, null, 2);
  // The fields of a view stand in one line.
  const compact = text.replace(
    /\[\n +("[^\]]*?)\n +\]/g,
    (_, list: string) => `[${list.replace(/\n\s+/g, ' ')}]`,
  );
  return `${compact}\n`;
}

/** Reads a baseline. Throws a UsageError that names the line, or what is missing. */
export function parseBaseline(text: string, file: string): Census {
  const hint = 'write it anew with --update-baseline';
  const value = parsed(text, file, hint);
  const broken = (what: string) => new UsageError(`${file} is no baseline: ${what}`, hint);
  if (!isObject(value)) throw broken('it is not a JSON object');
  if (value.version !== BASELINE_VERSION)
    throw broken(`its version is ${JSON.stringify(value.version) ?? 'missing'}, not ${BASELINE_VERSION}`);
  const unknown = Object.keys(asObject(value.kinds)).find(
    (kind) => !RECORD_KINDS.some((each) => each === kind),
  );
  if (unknown !== undefined)
    throw new UsageError(`${file}: "${unknown}" is no kind of record`, didYouMean(unknown, RECORD_KINDS));
  const { issues, output } = v.safeParse(CENSUS, value, { abortEarly: true });
  if (!issues) return output;
  const [part, kind, member] = issues[0].path?.map(({ key }) => key) ?? [];
  throw broken(part === 'kinds' && member ? `"${member}" of ${kind} is missing` : `"${part}" is missing`);
}

function parsed(text: string, file: string, hint: string): unknown {
  try {
    return parseJsonLossless(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const place = /position (\d+)/.exec(message)?.[1];
    const before = place === undefined ? text : text.slice(0, Number(place));
    throw new UsageError(`${file} line ${before.split('\n').length}: it is not JSON`, hint);
  }
}
