/** Splits a URL or path of the service into parts, and joins the parts again. */

export interface ServiceUrl {
  readonly base: string;
  /** `/api/v` or `api/v`; `''` for a URL or path without a version. */
  readonly marker: string;
  readonly version: string;
  readonly slash: string;
  /** Percent-encoded. If the path ends with a slash, the last segment is empty. */
  readonly segments: readonly string[];
  readonly query: string | undefined;
  readonly fragment: string;
}

const ORIGIN = /^https?:\/\/[^/]*/i;
const MARKER = /(\/api\/v|^api\/v)(\d+)(?=\/|$)/g;

export function parseServiceUrl(text: string): ServiceUrl {
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? '' : text.slice(hash);
  const withoutFragment = hash < 0 ? text : text.slice(0, hash);
  const question = withoutFragment.indexOf('?');
  const query = question < 0 ? undefined : withoutFragment.slice(question + 1);
  const path = question < 0 ? withoutFragment : withoutFragment.slice(0, question);

  // Uses the last match, because the base path may contain `/api/v3` too.
  const versioned = [...path.matchAll(MARKER)].at(-1);
  const base = versioned ? path.slice(0, versioned.index) : (ORIGIN.exec(path)?.[0] ?? '');
  const below = path.slice(base.length + (versioned?.[0].length ?? 0));
  const slash = below.startsWith('/') ? '/' : '';
  return {
    base,
    marker: versioned?.[1] ?? '',
    version: versioned?.[2] ?? '',
    slash,
    segments: below === slash ? [] : below.slice(slash.length).split('/'),
    query,
    fragment,
  };
}

export function formatServiceUrl(url: ServiceUrl): string {
  const { base, marker, version, slash, segments, query, fragment } = url;
  return `${base}${marker}${version}${slash}${segments.join('/')}${query === undefined ? '' : `?${query}`}${fragment}`;
}

/** Returns the percent-encoded values of the parameters; undefined if the path does not match. Ignores a slash at the end. */
export function matchTemplate(
  template: string,
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const wanted = template.slice(1).split('/');
  const found = dropTrailingSlash(segments);
  if (wanted.length !== found.length) return undefined;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = found[index] as string;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined && value !== '') values[name] = value;
    else if (part !== value) return undefined;
  }
  return values;
}

export function dropTrailingSlash(segments: readonly string[]): readonly string[] {
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}
