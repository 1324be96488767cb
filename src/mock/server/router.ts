/** Finds the endpoint of a path by the catalogue's own templates. A literal segment has priority over a parameter. */
import type { Endpoint } from '../../service/catalogue.js';
import { decoded } from './request-log.js';

export type RouteMatch =
  | {
      readonly found: 'route';
      readonly endpoint: Endpoint;
      readonly parameters: Readonly<Record<string, string>>;
    }
  | { readonly found: 'other-method'; readonly allowed: readonly string[] }
  | { readonly found: 'nothing' };

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  /** The endpoints whose templates end here, by method, with the names of their parameters. */
  readonly endpoints: Map<string, { readonly endpoint: Endpoint; readonly names: readonly string[] }>;
}

/** A router over those endpoints: takes a method and a path below `/api/v3`, still percent-encoded. */
export function router(endpoints: readonly Endpoint[]): (method: string, path: string) => RouteMatch {
  const root = newNode();
  for (const endpoint of endpoints) addEndpoint(root, endpoint);
  return (method, path) => {
    const reached = walk(root, segmentsOf(path).map(decoded), []);
    if (!reached) return { found: 'nothing' };
    const match = reached.node.endpoints.get(method);
    if (!match) return { found: 'other-method', allowed: [...reached.node.endpoints.keys()] };
    const parameters = match.names.map((name, index) => [name, reached.values[index] ?? '']);
    return { found: 'route', endpoint: match.endpoint, parameters: Object.fromEntries(parameters) };
  };
}

function addEndpoint(root: Node, endpoint: Endpoint): void {
  const names: string[] = [];
  let node = root;
  for (const segment of segmentsOf(endpoint.path)) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) {
      names.push(name);
      node.parameter ??= newNode();
      node = node.parameter;
    } else {
      const next = node.literals.get(segment) ?? newNode();
      node.literals.set(segment, next);
      node = next;
    }
  }
  node.endpoints.set(endpoint.method, { endpoint, names });
}

interface Reached {
  readonly node: Node;
  readonly values: readonly string[];
}

function walk(node: Node, segments: readonly string[], values: readonly string[]): Reached | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.endpoints.size > 0 ? { node, values } : undefined;
  const literal = node.literals.get(segment);
  const reached = literal && walk(literal, rest, values);
  if (reached) return reached;
  return node.parameter && segment !== '' ? walk(node.parameter, rest, [...values, segment]) : undefined;
}

function newNode(): Node {
  return { literals: new Map(), parameter: undefined, endpoints: new Map() };
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}
