/** Migrates one path or URL to version 3 (INTERFACE.md "Deprecated methods", "Removed methods", "Versioning"). */
import { CATALOGUE, pathParameters } from '../endpoints/catalogue.js';
import { RETIRED_PATHS, type RetiredPath } from '../endpoints/retired.js';
import { OpacError } from '../errors.js';
import { percentDecoded } from '../percent-encoding.js';
import { quoteValue } from '../search/query.js';
import { migrateParameters } from './parameters.js';
import { dropTrailingSlash, formatServiceUrl, matchTemplate, parseServiceUrl } from './service-url.js';

/** What became of a URL or path of the retired interface. */
export interface Migration {
  /**
   * `moved`: `text` is the new spelling; `current`: nothing to change; `none`: no known replacement;
   * `choose`: the old spelling does not say which of the `alternatives` is meant.
   */
  readonly status: 'moved' | 'current' | 'choose' | 'none';
  /** In the style of the old text; the old text unless `moved`. */
  readonly text: string;
  /** In the style of the old text; `{relationshipId}` must be filled in. */
  readonly alternatives?: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Takes a path below `/api/v2` or `/api/v3` (with or without them, with or without the first slash) or a whole URL with
 * any base; gives it in the same style, with base, fragment and the order of parameters kept. Throws nothing.
 */
export function migrateUrl(text: string): Migration {
  const address = parseServiceUrl(text);
  const { marker, version, segments } = address;
  const none = (note: string): Migration => ({ status: 'none', text, notes: [note] });
  if (marker && version !== '2' && version !== '3') return none(`unknown version ${version} of the service`);

  const retired = findRetired(segments);
  const current = CATALOGUE.find((row) => matchTemplate(row.path, segments))?.path;
  const isBase = marker !== '' && dropTrailingSlash(segments).length === 0;
  const known = retired !== undefined || current !== undefined || isBase;
  if (!marker && !known) return none('unknown path of the service');

  const paths = retired ? retired.row.replacements : [current];
  const notes: string[] = known ? [] : unknownNotes(segments);
  const texts: string[] = [];
  try {
    for (const path of paths) {
      const moved = migrateParameters(address.query, {
        path,
        term: retired?.row.queryTerm && fillTerm(retired.row.queryTerm, retired.values),
        fieldsBecomeTerms: retired?.row.fieldsBecomeTerms,
      });
      texts.push(
        formatServiceUrl({
          ...address,
          version: marker && '3',
          segments: retired && path ? fillSegments(path, retired.values) : segments,
          query: moved.query,
        }),
      );
      for (const note of moved.notes) if (!notes.includes(note)) notes.push(note);
    }
  } catch (error) {
    if (error instanceof OpacError) return none(error.message);
    throw error;
  }

  const choice = retired && choiceNotes(retired);
  if (choice?.length) return { status: 'choose', text, alternatives: texts, notes: [...choice, ...notes] };
  const [moved = text] = texts;
  return { status: moved === text ? 'current' : 'moved', text: moved, notes };
}

interface Retired {
  readonly row: RetiredPath;
  readonly values: Readonly<Record<string, string>>;
}

function findRetired(segments: readonly string[]): Retired | undefined {
  for (const row of RETIRED_PATHS) {
    const values = matchTemplate(row.path, segments);
    if (values) return { row, values };
  }
  return undefined;
}

function fillSegments(template: string, values: Readonly<Record<string, string>>): string[] {
  return template
    .slice(1)
    .replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
    .split('/');
}

function fillTerm(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/"\{(\w+)\}"/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : quoteValue(percentDecoded(value));
  });
}

/** Why a person must choose, and how; empty when the replacement follows from the old spelling. */
function choiceNotes({ row, values }: Retired): string[] {
  if (row.replacements.length > 1)
    return [`${row.path} was removed; choose one of its ${row.replacements.length} replacements`];
  const [replacement = ''] = row.replacements;
  const missing = pathParameters(replacement).filter((name) => !(name in values));
  if (missing.length === 0) return [];
  const unused = Object.keys(values).filter((name) => !replacement.includes(`{${name}}`));
  const noun = replacement.split('/')[1]?.replace(/^opac/, '');
  return [
    `${unused.map((name) => `${name} ${values[name]}`).join(', ')} is not a ${missing.join(', ')}; ` +
      `choose one from "opac relationships list ${noun}"`,
  ];
}

/** INTERFACE.md "Versioning": methods not listed are unchanged, unless what they stand below has moved. */
function unknownNotes(segments: readonly string[]): string[] {
  const path = `/${segments.join('/')}`;
  const parent = RETIRED_PATHS.find(
    (row) => row.state === 'formerly' && !row.path.includes('{') && path.startsWith(`${row.path}/`),
  );
  return [
    parent
      ? `${path} is not documented; ${parent.path} is now ${parent.replacements[0]}, so it may have moved too`
      : `${path} is not documented; what the document does not list is unchanged`,
  ];
}
