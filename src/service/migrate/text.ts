/** Moves every address of the service in a whole text (a program, a document, a list) and leaves every other byte alone. */
import { CATALOGUE } from '../catalogue.js';
import { RETIRED_PATHS } from '../retired.js';
import { parseAddress } from './address.js';
import { PLACEHOLDER, shield } from './placeholders.js';
import { type Migration, migrateUrl } from './url.js';

/** Where an address begins: both count from 1, columns in UTF-16 units as editors do. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Change extends Place {
  readonly before: string;
  readonly after: string;
  readonly notes: readonly string[];
}

/** An address that was left as it is and needs a person. */
export interface Unmoved extends Place {
  readonly text: string;
  readonly alternatives?: readonly string[];
  readonly notes: readonly string[];
}

export interface TextMigration {
  readonly text: string;
  readonly changes: readonly Change[];
  readonly unmoved: readonly Unmoved[];
}

/** HTML spells the quotes around an address like this. */
const ENTITY = '&(?:quot|apos|lt|gt|#\\d+);';
/** A comma or semicolon between two addresses. */
const BETWEEN = '[,;](?=https?://|/)';
/** A run of characters of which an address can be: it ends at blanks, quotes, brackets, bars and backslashes. */
const RUN = new RegExp(`(?:${PLACEHOLDER}|(?!${ENTITY}|${BETWEEN})[^\\s"'\`()<>[\\]{}|\\\\^])+`, 'gu');

/** First segments of the service's paths; `opac…` is its own in any case. */
const FIRST_SEGMENTS: ReadonlySet<string> = new Set(
  [...CATALOGUE, ...RETIRED_PATHS].map(({ path }) => path.split('/')[1] as string),
);

/**
 * Takes any text; gives it with the addresses moved, and a list of what changed and of what could not be moved, in the order
 * of the text. Addresses are known by `/api/v2` or `/api/v3` in them; without it by being a retired path of the service
 * that begins a word or a quoted text. Migrating the result again changes nothing.
 */
export function migrateText(text: string): TextMigration {
  const changes: Change[] = [];
  const unmoved: Unmoved[] = [];
  const place = placeIn(text);
  const moved = text.replace(RUN, (run: string, ...rest: unknown[]) => {
    const at = rest.find((argument): argument is number => typeof argument === 'number') as number;
    if (!run.includes('/')) return run;
    const address = withoutPunctuation(run);
    const verdict = judge({
      address,
      run,
      before: text[at - 1] ?? '',
      after: restOfLine(text, at + run.length),
    });
    if (verdict.status === 'moved') {
      changes.push({ ...place(at), before: address, after: verdict.text, notes: verdict.notes });
      return verdict.text + run.slice(address.length);
    }
    if (verdict.status === 'choose' || verdict.status === 'none') {
      const { alternatives, notes } = verdict;
      unmoved.push({ ...place(at), text: address, ...(alternatives && { alternatives }), notes });
    }
    return run;
  });
  return { text: moved, changes, unmoved };
}

interface Found {
  readonly address: string;
  /** The same with the punctuation behind it. */
  readonly run: string;
  /** The character before it, or nothing at the start of the text. */
  readonly before: string;
  /** The rest of the line behind the run. */
  readonly after: string;
}

/** The run without what belongs to the sentence at its end, or to Markdown's bold. */
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

const NOT_OURS: Migration = { status: 'current', text: '', notes: [] };

/** What is to be done with a run; `current` for everything that is none of our business. */
function judge(found: Found): Migration {
  const { address, run, before, after } = found;
  const { marker, version, base, segments } = parseAddress(shield(address).text);
  const [first = ''] = segments;
  const migration = migrateUrl(address);
  if (marker) {
    const certain = first.startsWith('opac');
    // Other services have versions too, and comments and views.
    if (certain || (/^[23]$/.test(version) && (first === '' || FIRST_SEGMENTS.has(first))))
      return whole(found, migration);
    if (migration.status !== 'moved') return NOT_OURS;
    return left(address, 'this is not a path of the service that is known: left as it is');
  }
  if (/^https?:/i.test(base) || migration.status === 'none' || migration.status === 'current')
    return NOT_OURS;
  const certain = /opac/.test(address) || address.includes('?');
  if (certain) return whole(found, migration);
  // `/comments` and its like are words of any program; in quotes they may be the service's.
  const quoted = isQuote(before) && after.startsWith(before) && run.startsWith('/') && run === address;
  if (!quoted) return NOT_OURS;
  return {
    ...left(address, 'this may be a path of the service: left as it is'),
    alternatives: migration.alternatives ?? [migration.text],
  };
}

function isQuote(character: string): boolean {
  return /^["'`]$/.test(character);
}

function left(text: string, note: string): Migration {
  return { status: 'none', text, notes: [note] };
}

/**
 * The migration when the run is the whole address. One that goes on behind a quote or a blank (`?query=name:"a b"`,
 * `"?query=" + query`) can get another version, but not another query.
 */
function whole({ address, run, before, after }: Found, migration: Migration): Migration {
  if (migration.status !== 'moved') return migration;
  const opened = isQuote(before);
  const goesOn =
    address.includes('?') &&
    ((/[=:]$/.test(run) && /^["'`([{\\]/.test(after)) ||
      (opened && /^[ \t]/.test(after) && after.includes(before)));
  if (goesOn && migration.text !== address.replace('api/v2', 'api/v3'))
    return left(
      address,
      'its query goes on in code or holds blanks and quotes that are not percent-encoded: left as it is',
    );
  if (address.endsWith('/') && opened)
    return { ...migration, notes: [...migration.notes, 'it goes on in code: check what is put behind it'] };
  return migration;
}

/** Gives the line and column of places that are asked for in ascending order. */
function placeIn(text: string): (at: number) => Place {
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
