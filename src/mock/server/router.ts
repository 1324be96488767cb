/** Finds the endpoint of a path by the catalogue's own templates. A literal segment has priority over a parameter. */
import type { Endpoint } from '../../service/endpoints/catalogue.js';
import { decoded } from './request-log.js';

export type RouteMatch =
  | {
      readonly found: 'route';
      readonly endpoint: Endpoint;
      readonly parameters: Readonly<Record<string, string>>;
    }
  | { readonly found: 'other-method'; readonly allowed: readonly string[] }
  | { readonly found: 'nothing' };

interface Template {
  readonly endpoint: Endpoint;
  readonly segments: readonly string[];
  /** `0` for a literal segment, `1` for a parameter: of templates that match one path, the lowest has priority. */
  readonly pattern: string;
}

/** A router over those endpoints: takes a method and a path below `/api/v3`, still percent-encoded. */
export function router(endpoints: readonly Endpoint[]): (method: string, path: string) => RouteMatch {
  const templates = endpoints.map(templateOf).sort((one, other) => one.pattern.localeCompare(other.pattern));
  return (method, path) => {
    const values = segmentsOf(path).map(decoded);
    const matching = templates.filter(({ segments }) => matches(segments, values));
    const best = matching.filter(({ pattern }) => pattern === matching[0]?.pattern);
    if (best.length === 0) return { found: 'nothing' };
    const template = best.find(({ endpoint }) => endpoint.method === method);
    if (!template) return { found: 'other-method', allowed: best.map(({ endpoint }) => endpoint.method) };
    const parameters = template.segments.flatMap((segment, index) =>
      isParameter(segment) ? [[segment.slice(1, -1), values[index] ?? '']] : [],
    );
    return { found: 'route', endpoint: template.endpoint, parameters: Object.fromEntries(parameters) };
  };
}

function templateOf(endpoint: Endpoint): Template {
  const segments = segmentsOf(endpoint.path);
  return { endpoint, segments, pattern: segments.map((segment) => Number(isParameter(segment))).join('') };
}

function matches(segments: readonly string[], values: readonly string[]): boolean {
  return (
    segments.length === values.length &&
    segments.every((segment, index) =>
      isParameter(segment) ? values[index] !== '' : values[index] === segment,
    )
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}
