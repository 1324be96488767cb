/** Translates deprecated requests (INTERFACE.md "Deprecated methods"). Tests compare this code with `opac migrate`. */
import { routeError } from '../../local/response.js';
import { CATALOGUE } from '../../service/endpoints/catalogue.js';
import { RETIRED_PARAMETERS, RETIRED_PATHS, type RetiredPath } from '../../service/endpoints/retired.js';
import { matchTemplate } from '../../service/migrate/service-url.js';
import { decodePercent } from './request-log.js';

/** A request for a path below `/api/v3`. The path is percent-encoded. */
export interface RequestTarget {
  readonly path: string;
  readonly query: URLSearchParams;
}

const DEPRECATED = RETIRED_PATHS.filter(({ state }) => state === 'deprecated');

/** Returns the request unchanged if it has neither a deprecated path nor a deprecated parameter. */
export function translateRetiredRequest({ path, query }: RequestTarget): RequestTarget {
  for (const row of DEPRECATED) {
    const values = matchTemplate(row.path, path.split('/').slice(1));
    if (values) return replaceIdList(replacePath(row, values, query));
  }
  return replaceIdList({ path, query });
}

/** Throws a RouteError (400) for a deprecated parameter. Used only for the fault `deprecated-refused`. */
export function assertNotRetired({ path, query }: RequestTarget): void {
  const parameter = findDeprecatedParameters(path).find(({ name }) => query.has(name));
  if (parameter) throw routeError(400, `Parameter ${parameter.name} is ${parameter.reason}`);
}

function replacePath(
  { replacements: [to = ''], queryTerm = '', fieldsBecomeTerms }: RetiredPath,
  values: Readonly<Record<string, string>>,
  query: URLSearchParams,
): RequestTarget {
  const known = new Set(CATALOGUE.find((row) => row.path === to)?.query.map(({ name }) => name));
  const terms = [
    queryTerm.replace(/"\{(\w+)\}"/, (_, name: string) => quote(decodePercent(values[name] ?? ''))),
  ];
  const rest = new URLSearchParams();
  for (const [name, value] of query) {
    if (fieldsBecomeTerms && !known.has(name) && name !== 'opacObjectIds')
      terms.push(`${name}:${quote(value)}`);
    else rest.append(name, value);
  }
  return {
    path: to.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    query: addTerms(rest, terms),
  };
}

function replaceIdList({ path, query }: RequestTarget): RequestTarget {
  const parameter = findDeprecatedParameters(path).find(({ name }) => query.has(name));
  const listed = parameter ? (query.get(parameter.name) ?? '').split(',') : [];
  const ids = listed.map((id) => id.trim()).filter(Boolean);
  if (!parameter || ids.length === 0) return { path, query };
  return { path, query: addTerms(query, [`${parameter.queryField}:(${ids.map(quote).join(', ')})`]) };
}

function findDeprecatedParameters(path: string) {
  const segments = path.split('/').slice(1);
  return RETIRED_PARAMETERS.filter(
    ({ queryField, paths }) =>
      queryField !== undefined && paths.some((template) => matchTemplate(template, segments)),
  );
}

function addTerms(query: URLSearchParams, terms: readonly string[]): URLSearchParams {
  const own = query.get('query');
  const joined = new URLSearchParams(query);
  joined.set('query', [...terms, ...(own ? [`(${own})`] : [])].join(' AND '));
  return joined;
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
