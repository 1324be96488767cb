/** The request that `opac api` sends: a path below `/api/v3`, in whichever way it was written, with its parameters. */
import { RETIRED_PATHS, type RetiredPath } from '../../../service/endpoints/retired.js';
import { UsageError } from '../../../service/errors.js';
import { type Migration, migrateUrl } from '../../../service/migrate/migrate-url.js';
import { matchTemplate, parseServiceUrl } from '../../../service/migrate/service-url.js';
import type { QueryParameters } from '../../../service/search/record-search.js';
import { formatShellWord } from '../../description/shell-words.js';

export interface ApiRequest {
  readonly base: string | undefined;
  /** Below `/api/v3`, percent-encoded, with a leading slash. */
  readonly path: string;
  readonly query: QueryParameters;
}

/**
 * Parses `/opacobjects`, `opacobjects?limit=1`, `/api/v3/opacobjects` or a whole URL, and adds the parameters given beside
 * it. Throws a UsageError for text that is not a path, and for a retired path (unless `allowRetired`), with the replacement.
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
  for (const segment of segments) refuseSegment(segment);
  refuseVersion(version, segments, query);
  if (!allowRetired) refuseRetired(segments, query);
  // Encodes what cannot stand in a path; what is encoded stays so.
  const { pathname: path } = new URL(`http://service/${segments.join('/')}`);
  return { base: base || undefined, path, query };
}

function refuseSegment(segment: string): void {
  const [template] = segment.match(/\{[^}]*\}?/) ?? [];
  if (template !== undefined)
    throw new UsageError(`${template} in the path is a placeholder`, 'replace it with a value');
  // A URL resolves them away, also percent-encoded, and would lead out of the interface.
  if (/^(?:\.|%2e){1,2}$/i.test(segment)) throw new UsageError(`a path cannot contain "${segment}"`);
}

function refuseVersion(version: string, segments: readonly string[], query: QueryParameters): void {
  if (version === '' || version === '3') return;
  const migration = migrateUrl(addressOf(`/api/v${version}`, segments, query));
  throw new UsageError(`version ${version} of the service is not supported`, replacementHint(migration));
}

const STATES: Readonly<Record<RetiredPath['state'], string>> = {
  deprecated: 'is deprecated',
  removed: 'was removed',
  formerly: 'has moved',
};

function refuseRetired(segments: readonly string[], query: QueryParameters): void {
  const migration = migrateUrl(addressOf('/api/v3', segments, query));
  if (migration.status !== 'moved' && migration.status !== 'choose') return;
  const row = RETIRED_PATHS.find(({ path }) => matchTemplate(path, segments));
  const [note = 'it is retired'] = migration.notes;
  throw new UsageError(
    row ? `${row.path} ${STATES[row.state]}` : note,
    `${replacementHint(migration)}; --allow-retired sends it as it is`,
  );
}

function addressOf(prefix: string, segments: readonly string[], query: QueryParameters): string {
  const parameters = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, value]),
  ).toString();
  return `${prefix}/${segments.join('/')}${parameters === '' ? '' : `?${parameters}`}`;
}

function replacementHint({ text, alternatives = [text], status, notes }: Migration): string {
  if (status === 'none') return notes[0] ?? 'no replacement is known';
  return `use: ${alternatives.map(asCommand).join(', or: ')}`;
}

function asCommand(address: string): string {
  const { segments, query = '' } = parseServiceUrl(address);
  const parameters = [...new URLSearchParams(query)].map(
    ([name, value]) => ` --param ${formatShellWord(`${name}=${value}`)}`,
  );
  return `opac api ${formatShellWord(`/${segments.join('/')}`)}${parameters.join('')}`;
}
