/**
 * Understands what INTERFACE.md "Deprecated methods and their replacements" lists, as it says what to use instead. Written
 * without the client's migration, so that the two can disagree.
 */

import { routeError } from '../../local/response.js';
import { CATALOGUE } from '../../service/endpoints/catalogue.js';
import { RETIRED_PARAMETERS, RETIRED_PATHS, type RetiredPath } from '../../service/endpoints/retired.js';
import { matchTemplate } from '../../service/migrate/service-url.js';
import { decoded } from './request-log.js';

/** A path below `/api/v3`, percent-encoded, with its query. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

const DEPRECATED = RETIRED_PATHS.filter(({ state }) => state === 'deprecated');

/** The request in today's words; the same one when nothing in it is deprecated. */
export function translateRetiredRequest({ path, query }: RequestTarget): RequestTarget {
  for (const row of DEPRECATED) {
    const values = matchTemplate(row.path, path.split('/').slice(1));
    if (values) return replaceIdList(replacePath(row, values, query));
  }
  return replaceIdList({ path, query });
}

/** Throws a 400 for a deprecated parameter; deprecated paths are unknown then. */
export function assertNotRetired({ path, query }: RequestTarget): void {
  const parameter = deprecatedOf(path).find(({ name }) => query.has(name));
  if (parameter) throw routeError(400, `Parameter ${parameter.name} is ${parameter.reason}`);
}

function replacePath(
  { replacements: [to = ''], queryTerm = '', fieldsBecomeTerms }: RetiredPath,
  values: Readonly<Record<string, string>>,
  query: URLSearchParams,
): RequestTarget {
  const known = new Set(CATALOGUE.find((row) => row.path === to)?.query.map(({ name }) => name));
  const terms = [queryTerm.replace(/"\{(\w+)\}"/, (_, name: string) => quoted(decoded(values[name] ?? '')))];
  const rest = new URLSearchParams();
  for (const [name, value] of query) {
    if (fieldsBecomeTerms && !known.has(name) && name !== 'opacObjectIds')
      terms.push(`${name}:${quoted(value)}`);
    else rest.append(name, value);
  }
  return {
    path: to.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    query: withTerms(rest, terms),
  };
}

function replaceIdList({ path, query }: RequestTarget): RequestTarget {
  const parameter = deprecatedOf(path).find(({ name }) => query.has(name));
  const listed = parameter ? (query.get(parameter.name) ?? '').split(',') : [];
  const ids = listed.map((id) => id.trim()).filter(Boolean);
  if (!parameter || ids.length === 0) return { path, query };
  return { path, query: withTerms(query, [`${parameter.queryField}:(${ids.map(quoted).join(', ')})`]) };
}

function deprecatedOf(path: string) {
  const segments = path.split('/').slice(1);
  return RETIRED_PARAMETERS.filter(
    ({ queryField, paths }) =>
      queryField !== undefined && paths.some((template) => matchTemplate(template, segments)),
  );
}

function withTerms(query: URLSearchParams, terms: readonly string[]): URLSearchParams {
  const own = query.get('query');
  const joined = new URLSearchParams(query);
  joined.set('query', [...terms, ...(own ? [`(${own})`] : [])].join(' AND '));
  return joined;
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
