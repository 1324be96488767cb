/** What `opac api` is asked for: a path below `/api/v3` in whichever way it was written, with its parameters. */
import { UsageError } from '../../../service/errors.js';
import { matchTemplate, parseAddress } from '../../../service/migrate/address.js';
import { type Migration, migrateUrl } from '../../../service/migrate/url.js';
import { RETIRED_PATHS, type RetiredPath } from '../../../service/retired.js';
import type { QueryParameters } from '../../../service/search/search.js';
import { quoted } from '../../dry-run/curl.js';

export interface Asked {
  /** The deployment, when a whole URL was given. */
  readonly base: string | undefined;
  /** Below `/api/v3`, percent-encoded, with a leading slash. */
  readonly path: string;
  readonly query: QueryParameters;
}

/**
 * Reads `/opacobjects`, `opacobjects?limit=1`, `/api/v3/opacobjects` or a whole URL, and adds the parameters given beside
 * it. Throws a UsageError with the replacement for what is retired (unless `force`), and for what is no path to be asked.
 */
export function readAsked(text: string, parameters: QueryParameters, force: boolean): Asked {
  const { base, version, segments, query = '' } = parseAddress(text.trim());
  const all = [...new URLSearchParams(query), ...parameters];
  if (segments.every((segment) => segment === ''))
    throw new UsageError(`"${text}" is no path of the service`, 'write it as in: opac api /opaccollections');
  for (const segment of segments) refuseSegment(segment);
  refuseVersion(version, segments, all);
  if (!force) refuseRetired(segments, all);
  return { base: base || undefined, path: encodedPath(segments), query: all };
}

function refuseSegment(segment: string): void {
  const [template] = segment.match(/\{[^}]*\}?/) ?? [];
  if (template !== undefined)
    throw new UsageError(`${template} in the path stands for a value`, 'put the value in its place');
  // A URL resolves them away, also percent-encoded, and would lead out of the interface.
  if (/^(?:\.|%2e){1,2}$/i.test(segment)) throw new UsageError(`"${segment}" cannot stand in a path`);
}

function refuseVersion(version: string, segments: readonly string[], query: QueryParameters): void {
  if (version === '' || version === '3') return;
  const moved = migrateUrl(written(`/api/v${version}`, segments, query));
  throw new UsageError(`version ${version} of the service cannot be asked`, replacementHint(moved));
}

const STATES: Readonly<Record<RetiredPath['state'], string>> = {
  deprecated: 'is deprecated',
  removed: 'was removed',
  formerly: 'has moved',
};

function refuseRetired(segments: readonly string[], query: QueryParameters): void {
  const migration = migrateUrl(written('/api/v3', segments, query));
  if (migration.status !== 'moved' && migration.status !== 'choose') return;
  const row = RETIRED_PATHS.find(({ path }) => matchTemplate(path, segments));
  const [note = 'it is retired'] = migration.notes;
  throw new UsageError(
    row ? `${row.path} ${STATES[row.state]}` : note,
    `${replacementHint(migration)}; --force sends it as it is`,
  );
}

function written(prefix: string, segments: readonly string[], query: QueryParameters): string {
  const parameters = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, value]),
  ).toString();
  return `${prefix}/${segments.join('/')}${parameters === '' ? '' : `?${parameters}`}`;
}

function replacementHint({ text, alternatives = [text], status, notes }: Migration): string {
  if (status === 'none') return notes[0] ?? 'no replacement is known';
  return `use: ${alternatives.map(asCommand).join(', or: ')}`;
}

/** The command that asks for an address of version 3, readable and ready for a POSIX shell. */
function asCommand(address: string): string {
  const { segments, query = '' } = parseAddress(address);
  const parameters = [...new URLSearchParams(query)].map(
    ([name, value]) => ` -q ${word(`${name}=${value}`)}`,
  );
  return `opac api ${word(`/${segments.join('/')}`)}${parameters.join('')}`;
}

function word(text: string): string {
  return /^[\w.~=/:-]+$/.test(text) ? text : quoted(text);
}

/** Percent-encodes what cannot stand in a path; what is encoded stays so. */
function encodedPath(segments: readonly string[]): string {
  return new URL(`http://service/${segments.join('/')}`).pathname;
}
