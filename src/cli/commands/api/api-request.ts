/** The request of `opac api`: a path below `/api/v3` and its parameters. */
import { RETIRED_PATHS, type RetiredPath } from '../../../service/endpoints/retired.js';
import { UsageError } from '../../../service/errors.js';
import { type Migration, migrateUrl } from '../../../service/migrate/migrate-url.js';
import { matchTemplate, parseServiceUrl } from '../../../service/migrate/service-url.js';
import type { QueryParameters } from '../../../service/search/record-search.js';
import { formatShellWord } from '../../description/shell-words.js';

export interface ApiRequest {
  /** `https://host[:port][/folder]` of a complete URL; undefined for a path. */
  readonly base: string | undefined;
  /** The path below `/api/v3`, percent-encoded, with a leading slash. */
  readonly path: string;
  readonly query: QueryParameters;
}

/**
 * Parses `/opacobjects?limit=1`, `/api/v3/opacobjects` or a URL. Throws a UsageError for an invalid request and, unless
 * `allowRetired` is true, for a retired request.
 */
export function parseApiRequest(
  text: string,
  parameters: QueryParameters,
  allowRetired: boolean,
): ApiRequest {
  const { base, version, segments, query: ownQuery = '' } = parseServiceUrl(text.trim());
  const query = [...new URLSearchParams(ownQuery), ...parameters];
  if (segments.every((segment) => segment === ''))
    throw new UsageError(`"${text}" is not a path of the service`, 'for example: opac api /opaccollections');
  for (const segment of segments) assertValidSegment(segment);
  assertCurrentVersion(version, segments, query);
  if (!allowRetired) assertNotRetired(segments, query);
  // `new URL` encodes characters that are not valid in a path. Characters that are already encoded stay unchanged.
  const { pathname: path } = new URL(`http://service/${segments.join('/')}`);
  return { base: base || undefined, path, query };
}

function assertValidSegment(segment: string): void {
  const [template] = segment.match(/\{[^}]*\}?/) ?? [];
  if (template !== undefined)
    throw new UsageError(`${template} in the path is a placeholder`, 'replace it with a value');
  // `new URL` resolves `.` and `..`, also if they are percent-encoded, so the request would go to another path.
  if (/^(?:\.|%2e){1,2}$/i.test(segment)) throw new UsageError(`a path cannot contain "${segment}"`);
}

function assertCurrentVersion(version: string, segments: readonly string[], query: QueryParameters): void {
  if (version === '' || version === '3') return;
  const migration = migrateUrl(formatPath(`/api/v${version}`, segments, query));
  throw new UsageError(`version ${version} of the service is not supported`, formatReplacement(migration));
}

const STATES: Readonly<Record<RetiredPath['state'], string>> = {
  deprecated: 'is deprecated',
  removed: 'was removed',
  formerly: 'has moved',
};

function assertNotRetired(segments: readonly string[], query: QueryParameters): void {
  const migration = migrateUrl(formatPath('/api/v3', segments, query));
  if (migration.status !== 'moved' && migration.status !== 'choose') return;
  const row = RETIRED_PATHS.find(({ path }) => matchTemplate(path, segments));
  const [note = 'this request is retired'] = migration.notes;
  throw new UsageError(
    row ? `${row.path} ${STATES[row.state]}` : note,
    `${formatReplacement(migration)}; to send it unchanged, add --allow-retired`,
  );
}

function formatPath(prefix: string, segments: readonly string[], query: QueryParameters): string {
  const parameters = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, value]),
  ).toString();
  return `${prefix}/${segments.join('/')}${parameters === '' ? '' : `?${parameters}`}`;
}

function formatReplacement({ text, alternatives = [text], status, notes }: Migration): string {
  if (status === 'none') return notes[0] ?? 'no replacement is known';
  return `use: ${alternatives.map(formatCommand).join(', or: ')}`;
}

function formatCommand(url: string): string {
  const { segments, query = '' } = parseServiceUrl(url);
  const parameters = [...new URLSearchParams(query)].map(
    ([name, value]) => ` --param ${formatShellWord(`${name}=${value}`)}`,
  );
  return `opac api ${formatShellWord(`/${segments.join('/')}`)}${parameters.join('')}`;
}
