/** The baseline: a file that contains a census (census.ts). */
import { UsageError } from '../../service/errors.js';
import { asObject, isObject } from '../../service/json.js';
import { RECORD_KINDS } from '../../service/kinds.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { didYouMean } from '../../service/suggest-name.js';
import * as v from '../../system/valibot.js';
import { CENSUS, type Census } from './census.js';

const BASELINE_VERSION = 1;

/** Writes one value per line, and all fields of a view on one line, so that a diff is readable. */
export function serializeBaseline(census: Census): string {
  const text = JSON.stringify({ version: BASELINE_VERSION, ...census }, null, 2);
  const compact = text.replace(
    /\[\n +("[^\]]*?)\n +\]/g,
    (_, list: string) => `[${list.replace(/\n\s+/g, ' ')}]`,
  );
  return `${compact}\n`;
}

/** Throws a UsageError that names the line of invalid JSON (if Node reports it), or the missing or invalid key. */
export function parseBaseline(text: string, file: string): Census {
  const hint = 'recreate it with --update-baseline';
  const value = parseBaselineJson(text, file, hint);
  const invalid = (problem: string) => new UsageError(`${file} is not a valid baseline: ${problem}`, hint);
  if (!isObject(value)) throw invalid('it is not a JSON object');
  if (value.version !== BASELINE_VERSION)
    throw invalid(`its version is ${JSON.stringify(value.version) ?? 'missing'}, not ${BASELINE_VERSION}`);
  const unknown = Object.keys(asObject(value.kinds)).find(
    (kind) => !RECORD_KINDS.some((each) => each === kind),
  );
  if (unknown !== undefined)
    throw new UsageError(`${file}: unknown kind of record "${unknown}"`, didYouMean(unknown, RECORD_KINDS));
  const { issues, output } = v.safeParse(CENSUS, value, { abortEarly: true });
  if (!issues) return output;
  const [part, kind, member] = issues[0].path?.map(({ key }) => key) ?? [];
  throw invalid(
    part === 'kinds' && member
      ? `"${member}" of ${kind} is missing or invalid`
      : `"${part}" is missing or invalid`,
  );
}

function parseBaselineJson(text: string, file: string, hint: string): unknown {
  try {
    return parseJsonLossless(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const place = /position (\d+)/.exec(message)?.[1];
    const line = place === undefined ? '' : ` line ${text.slice(0, Number(place)).split('\n').length}`;
    throw new UsageError(`${file}${line}: invalid JSON`, hint);
  }
}
