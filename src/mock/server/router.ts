/** Finds the row of the catalogue that a path means, by the catalogue's own templates. A literal segment beats a parameter. */
import type { Endpoint } from '../../service/catalogue.js';

export type Routed =
  | { readonly found: 'route'; readonly row: Endpoint; readonly parameters: Readonly<Record<string, string>> }
  | { readonly found: 'other-method'; readonly allowed: readonly string[] }
  | { readonly found: 'nothing' };

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  /** Rows that end here, by method, with the names of the parameters on the way. */
  readonly rows: Map<string, { readonly row: Endpoint; readonly names: readonly string[] }>;
}

/** A router over those rows: takes a method and a path below `/api/v3`, still percent-encoded. */
export function router(rows: readonly Endpoint[]): (method: string, path: string) => Routed {
  const root = node();
  for (const row of rows) {
    const names: string[] = [];
    let at = root;
    for (const segment of segmentsOf(row.path)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name !== undefined) {
        names.push(name);
        at.parameter ??= node();
        at = at.parameter;
      } else {
        const next = at.literals.get(segment) ?? node();
        at.literals.set(segment, next);
        at = next;
      }
    }
    at.rows.set(row.method, { row, names });
  }
  return (method, path) => {
    const reached = walk(root, segmentsOf(path).map(decoded), []);
    if (!reached) return { found: 'nothing' };
    const ending = reached.node.rows.get(method);
    if (!ending) return { found: 'other-method', allowed: [...reached.node.rows.keys()] };
    const parameters = Object.fromEntries(
      ending.names.map((name, index) => [name, reached.values[index] ?? '']),
    );
    return { found: 'route', row: ending.row, parameters };
  };
}

type Reached = { readonly node: Node; readonly values: readonly string[] };

function walk(at: Node, segments: readonly string[], values: readonly string[]): Reached | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return at.rows.size > 0 ? { node: at, values } : undefined;
  const literal = at.literals.get(segment);
  const reached = literal && walk(literal, rest, values);
  if (reached) return reached;
  return at.parameter && segment !== '' ? walk(at.parameter, rest, [...values, segment]) : undefined;
}

function node(): Node {
  return { literals: new Map(), parameter: undefined, rows: new Map() };
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
