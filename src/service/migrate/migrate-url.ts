/** Migrates one path or URL to version 3 (INTERFACE.md "Deprecated methods", "Removed methods", "Versioning"). */
import { CATALOGUE, pathParameters } from '../endpoints/catalogue.js';
import { RETIRED_PATHS, type RetiredPath } from '../endpoints/retired.js';
import { OpacError } from '../errors.js';
import { percentDecoded } from '../percent-encoding.js';
import { quoteValue } from '../search/query.js';
import { migrateParameters } from './parameters.js';
import { dropTrailingSlash, formatServiceUrl, matchTemplate, parseServiceUrl } from './service-url.js';

/** The result of migrating a URL or path. */
export interface Migration {
  /** `moved`: `text` is the new URL. `current`: no change. `choose`: see `alternatives`. `none`: no known replacement. */
  readonly status: 'moved' | 'current' | 'choose' | 'none';
  /** The new URL, or the old text if the status is not `moved`. */
  readonly text: string;
  /** URLs to choose from. They may contain the placeholder `{relationshipId}`. */
  readonly alternatives?: readonly string[];
  readonly notes: readonly string[];
}

/** Migrates a URL or a path to version 3. A path may begin with `/api/v2`, `/api/v3` or neither. Never throws. */
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
  const notes = new Set(
    known
      ? []
      : [
          `/${segments.join('/')} is not documented; ${version === '2' ? 'only the version was changed' : 'the text was not changed'}`,
        ],
  );
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
      for (const note of moved.notes) notes.add(note);
    }
  } catch (error) {
    if (error instanceof OpacError) return none(error.message);
    throw error;
  }

  const choice = retired && explainChoice(retired);
  if (choice) return { status: 'choose', text, alternatives: texts, notes: [choice, ...notes] };
  const [moved = text] = texts;
  return { status: moved === text ? 'current' : 'moved', text: moved, notes: [...notes] };
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
    .replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder)
    .split('/');
}

function fillTerm(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/"\{(\w+)\}"/g, (placeholder, name: string) => {
    const value = values[name];
    return value === undefined ? placeholder : quoteValue(percentDecoded(value));
  });
}

function explainChoice({ row, values }: Retired): string | undefined {
  if (row.replacements.length > 1)
    return `${row.path} was removed; choose one of its ${row.replacements.length} replacements`;
  const [replacement = ''] = row.replacements;
  const missing = pathParameters(replacement).filter((name) => !(name in values));
  if (missing.length === 0) return undefined;
  const unused = Object.keys(values).filter((name) => !replacement.includes(`{${name}}`));
  const noun = replacement.split('/')[1]?.replace(/^opac/, '');
  const ids = unused.map((name) => `${name} ${values[name]}`).join(', ');
  return `${ids} is not a ${missing.join(', ')}; choose one from "opac relationships list ${noun}"`;
}
