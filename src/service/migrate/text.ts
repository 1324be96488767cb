/** Migrates every address of the service in a text (a program, a document, a list) and leaves every other byte alone. */
import { CATALOGUE } from '../endpoints/catalogue.js';
import { RETIRED_PATHS } from '../endpoints/retired.js';
import { parseAddress } from './address.js';
import { maskPlaceholders, PLACEHOLDER } from './placeholders.js';
import { type Migration, migrateUrl } from './url.js';

/** Both count from 1, columns in UTF-16 units as editors do. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Change extends Position {
  readonly before: string;
  readonly after: string;
  readonly notes: readonly string[];
}

export interface Unmoved extends Position {
  readonly text: string;
  readonly alternatives?: readonly string[];
  readonly notes: readonly string[];
}

export interface TextMigration {
  readonly text: string;
  readonly changes: readonly Change[];
  readonly unmoved: readonly Unmoved[];
}

const ENTITY = '&(?:quot|apos|lt|gt|#\\d+);';
const BETWEEN = '[,;](?=https?://|/)';
/** An address ends at blanks, quotes, brackets, bars, backslashes, and what separates it from the next one. */
const RUN = new RegExp(`(?:${PLACEHOLDER}|(?!${ENTITY}|${BETWEEN})[^\\s"'\`()<>[\\]{}|\\\\^])+`, 'gu');

const FIRST_SEGMENTS: ReadonlySet<string> = new Set(
  [...CATALOGUE, ...RETIRED_PATHS].map(({ path }) => path.split('/')[1] as string),
);

/**
 * Gives the text with its addresses migrated, what changed, and what could not be migrated, in the order of the text. An
 * address holds `/api/v2` or `/api/v3`, or is a retired path at the start of a word. A second migration changes nothing.
 */
export function migrateText(text: string): TextMigration {
  const changes: Change[] = [];
  const unmoved: Unmoved[] = [];
  const position = positionIn(text);
  const moved = text.replace(RUN, (run: string, ...rest: unknown[]) => {
    const at = rest.find((argument): argument is number => typeof argument === 'number') as number;
    if (!run.includes('/')) return run;
    const address = withoutPunctuation(run);
    const migration = migrateCandidate({
      address,
      run,
      before: text[at - 1] ?? '',
      after: restOfLine(text, at + run.length),
    });
    if (migration.status === 'moved') {
      changes.push({ ...position(at), before: address, after: migration.text, notes: migration.notes });
      return migration.text + run.slice(address.length);
    }
    if (migration.status === 'choose' || migration.status === 'none') {
      const { alternatives, notes } = migration;
      unmoved.push({ ...position(at), text: address, ...(alternatives && { alternatives }), notes });
    }
    return run;
  });
  return { text: moved, changes, unmoved };
}

interface Candidate {
  readonly address: string;
  readonly run: string;
  readonly before: string;
  readonly after: string;
}

/** Punctuation belongs to the sentence, and `**` to Markdown. */
function withoutPunctuation(run: string): string {
  let end = run.length;
  for (;;) {
    if (/[.,;:!?]/.test(run[end - 1] ?? '')) end -= 1;
    else if (run.endsWith('**', end)) end -= 2;
    else return run.slice(0, end);
  }
}

function restOfLine(text: string, from: number): string {
  const end = text.slice(from, from + 500).search(/[\r\n]/);
  return text.slice(from, from + (end < 0 ? 500 : end));
}

const NOT_AN_ADDRESS: Migration = { status: 'current', text: '', notes: [] };

function migrateCandidate(found: Candidate): Migration {
  const { address, run, before, after } = found;
  const { marker, version, base, segments } = parseAddress(maskPlaceholders(address).text);
  const [first = ''] = segments;
  const migration = migrateUrl(address);
  if (marker) {
    const certain = first.startsWith('opac');
    // Other services have versions, comments and views too.
    if (certain || (/^[23]$/.test(version) && (first === '' || FIRST_SEGMENTS.has(first))))
      return migrateWhole(found, migration);
    if (migration.status !== 'moved') return NOT_AN_ADDRESS;
    return unresolved(address, 'unknown path of the service; left unchanged');
  }
  if (/^https?:/i.test(base) || migration.status === 'none' || migration.status === 'current')
    return NOT_AN_ADDRESS;
  const certain = /opac/.test(address) || address.includes('?');
  if (certain) return migrateWhole(found, migration);
  // `/comments` and the like occur in any program; in quotes they may be the service's.
  const quoted = isQuote(before) && after.startsWith(before) && run.startsWith('/') && run === address;
  if (!quoted) return NOT_AN_ADDRESS;
  return {
    ...unresolved(address, 'this may be a path of the service; left unchanged'),
    alternatives: migration.alternatives ?? [migration.text],
  };
}

function isQuote(character: string): boolean {
  return /^["'`]$/.test(character);
}

function unresolved(text: string, note: string): Migration {
  return { status: 'none', text, notes: [note] };
}

/** An address that continues behind a quote or a blank (`"?query=" + query`) can get another version, but not another query. */
function migrateWhole({ address, run, before, after }: Candidate, migration: Migration): Migration {
  if (migration.status !== 'moved') return migration;
  const opened = isQuote(before);
  const continues =
    address.includes('?') &&
    ((/[=:]$/.test(run) && /^["'`([{\\]/.test(after)) ||
      (opened && /^[ \t]/.test(after) && after.includes(before)));
  if (continues && migration.text !== address.replace('api/v2', 'api/v3'))
    return unresolved(
      address,
      'its query continues in code or holds blanks or quotes that are not percent-encoded; left unchanged',
    );
  if (address.endsWith('/') && opened)
    return {
      ...migration,
      notes: [...migration.notes, 'the address continues in code; check what is appended'],
    };
  return migration;
}

/** Must be called with ascending offsets. */
function positionIn(text: string): (at: number) => Position {
  const ends = /\r\n|\r|\n/g;
  let line = 1;
  let start = 0;
  let next = ends.exec(text);
  return (at) => {
    for (; next && ends.lastIndex <= at; next = ends.exec(text)) {
      line++;
      start = ends.lastIndex;
    }
    return { line, column: at - start + 1 };
  };
}
