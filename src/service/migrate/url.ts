/**
 * Moves one path or URL of the service to its version 3 spelling, by the document's tables (INTERFACE.md "Deprecated
 * methods", "Removed methods", "Versioning").
 */
import { CATALOGUE, pathParameters } from '../catalogue.js';
import { OpacError } from '../errors.js';
import { RETIRED_PATHS, type RetiredPath } from '../retired.js';
import { quote } from '../search/query.js';
import { formatAddress, matchTemplate, parseAddress, withoutLastSlash } from './address.js';
import { decodeEscapes } from './encoding.js';
import { moveParameters } from './parameters.js';
import { shield } from './placeholders.js';

export interface Migration {
  /**
   * - `moved`: `text` is the version 3 spelling
   * - `current`: it was the version 3 spelling already
   * - `choose`: there is a replacement, but the old spelling does not say all it needs; see `alternatives`
   * - `none`: no replacement is known
   */
  readonly status: 'moved' | 'current' | 'choose' | 'none';
  /** In the style of the old text; the old text itself unless it was moved. */
  readonly text: string;
  /** What to choose from, in the style of the old text; `{relationshipId}` in one stands for what must be filled in. */
  readonly alternatives?: readonly string[];
  /** What a person should know, a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Takes a path below `/api/v2` or `/api/v3` (with or without them, with or without the first slash) or a whole URL with
 * any base; gives it in the same style, with base, fragment, placeholders and the order of parameters kept. Throws nothing.
 */
export function migrateUrl(text: string): Migration {
  const shielded = shield(text);
  const migration = migrateAddress(shielded.text);
  const notes = migration.notes.map((note) => shielded.reveal(note));
  const printf = shielded.placeholders.find((placeholder) => /^%(?:\(\w+\))?[sd]$/.test(placeholder));
  if (printf && migration.status === 'moved' && /%[0-9A-F]{2}/.test(migration.text))
    notes.push(`in a format string with ${printf} every other % must be doubled`);
  return {
    status: migration.status,
    text: shielded.reveal(migration.text),
    ...(migration.alternatives && {
      alternatives: migration.alternatives.map((one) => shielded.reveal(one)),
    }),
    notes,
  };
}

/** The same for a text whose placeholders are put away. */
function migrateAddress(text: string): Migration {
  const address = parseAddress(text);
  const { marker, version, segments } = address;
  const none = (note: string): Migration => ({ status: 'none', text, notes: [note] });
  if (marker && version !== '2' && version !== '3')
    return none(`version ${version} of the service is not known`);

  const retired = findRetired(segments);
  const current = CATALOGUE.find((row) => matchTemplate(row.path, segments))?.path;
  const isBase = marker !== '' && withoutLastSlash(segments).length === 0;
  const known = retired !== undefined || current !== undefined || isBase;
  if (!marker && !known) return none('this is not a path of the service that is known');

  const paths = retired ? retired.row.replacements : [current];
  const notes: string[] = known ? [] : unknownNotes(segments);
  const texts: string[] = [];
  try {
    for (const path of paths) {
      const moved = moveParameters(address.query, {
        path,
        term: retired?.row.queryTerm && fillTerm(retired.row.queryTerm, retired.values),
        fieldsBecomeTerms: retired?.row.fieldsBecomeTerms,
      });
      texts.push(
        formatAddress({
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
  /** What the parameters of its template are here, as they were spelled. */
  readonly values: Readonly<Record<string, string>>;
}

function findRetired(segments: readonly string[]): Retired | undefined {
  for (const row of RETIRED_PATHS) {
    const values = matchTemplate(row.path, segments);
    if (values) return { row, values };
  }
  return undefined;
}

/** The segments of a template; a parameter without a value stays as it stands in the template. */
function fillSegments(template: string, values: Readonly<Record<string, string>>): string[] {
  return template
    .slice(1)
    .replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
    .split('/');
}

/** A query term of the table with its values, which stand between quotes there. */
function fillTerm(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/"\{(\w+)\}"/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : quote(decodeEscapes(value));
  });
}

/** Why somebody has to choose, and how; nothing when the replacement follows from the old spelling. */
function choiceNotes({ row, values }: Retired): string[] {
  if (row.replacements.length > 1)
    return [`${row.path} was removed: choose one of its ${row.replacements.length} replacements`];
  const [replacement = ''] = row.replacements;
  const missing = pathParameters(replacement).filter((name) => !(name in values));
  if (missing.length === 0) return [];
  const unused = Object.keys(values).filter((name) => !replacement.includes(`{${name}}`));
  const noun = replacement.split('/')[1]?.replace(/^opac/, '');
  return [
    `${unused.map((name) => `${name} ${values[name]}`).join(', ')} is not a ${missing.join(', ')}: ` +
      `put in one of those that "opac relationships list ${noun}" shows`,
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
      ? `${path} is not in the interface's document; ${parent.path} is now ${parent.replacements[0]}, it may have moved with it`
      : `${path} is not in the interface's document, which says that what it does not list is unchanged`,
  ];
}
