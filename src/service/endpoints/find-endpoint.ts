/** Finds the endpoint that a path belongs to. */
import { matchTemplate } from '../migrate/service-url.js';
import { percentDecoded } from '../percent-encoding.js';
import { CATALOGUE, type Endpoint, pathParameters } from './catalogue.js';

interface FoundEndpoint {
  readonly row: Endpoint;
  readonly values: Readonly<Record<string, string>>;
}

/** Rows with fewer parameters come first. Otherwise `/opacvenues/views` would be a venue with the id "views". */
const ROWS = CATALOGUE.toSorted((a, b) => pathParameters(a.path).length - pathParameters(b.path).length);

/** `path` is percent-encoded and has no query. Returns the row, and the decoded values of the path parameters. */
export function findEndpoint(path: string): FoundEndpoint | undefined {
  const segments = path.replace(/^\//, '').split('/');
  for (const row of ROWS) {
    const values = matchTemplate(row.path, segments);
    if (!values) continue;
    const decoded = Object.entries(values).map(([name, value]) => [name, percentDecoded(value)]);
    return { row, values: Object.fromEntries(decoded) };
  }
  return undefined;
}
