/** From a path back to its row of the catalogue. */
import { CATALOGUE, type Endpoint, pathParameters } from './catalogue.js';
import { matchTemplate } from './migrate/address.js';

export interface FoundEndpoint {
  readonly row: Endpoint;
  /** Values of the parameters in the path, percent-decoded. */
  readonly values: Readonly<Record<string, string>>;
}

/** Rows with fewer parameters first: `/opacvenues/views` is not a venue whose id is "views". */
const ROWS = CATALOGUE.toSorted((one, other) => parameters(one) - parameters(other));

function parameters({ path }: Endpoint): number {
  return pathParameters(path).length;
}

/** The row that a path below `/api/v3` belongs to, percent-encoded and without its query; undefined when there is none. */
export function findEndpoint(path: string): FoundEndpoint | undefined {
  const segments = path.replace(/^\//, '').split('/');
  for (const row of ROWS) {
    const values = matchTemplate(row.path, segments);
    if (values) return { row, values: decoded(values) };
  }
  return undefined;
}

function decoded(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, decode(value)]));
}

/** A `%` that begins no escape stands for itself. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
