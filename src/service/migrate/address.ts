/** Takes an address of the service apart, in whichever way it is spelled, and puts it together again unchanged. */
import { STAND_IN } from './placeholders.js';

/** The parts as they were spelled. */
export interface Address {
  /** Scheme, host and base path, or a placeholder for them, or nothing. */
  readonly base: string;
  /** `/api/v` or `api/v`, or nothing when the address is only what stands below. */
  readonly marker: string;
  /** The digits after the marker. */
  readonly version: string;
  /** What stands before the first segment: a slash or nothing. */
  readonly slash: string;
  /** The segments below the version, percent-encoded as they were; a slash at the end gives an empty last one. */
  readonly segments: readonly string[];
  /** Without its question mark; undefined when there is none. */
  readonly query: string | undefined;
  /** With its hash, or nothing. */
  readonly fragment: string;
}

const ORIGIN = new RegExp(`^(?:https?://[^/]*|[${STAND_IN}]+(?=/))`, 'i');
/** `/api/v2`, or `api/v2` at the very start. */
const MARKER = /(\/api\/v|^api\/v)(\d+)(?=\/|$)/g;

/** Reads an address whose placeholders are put away. */
export function parseAddress(text: string): Address {
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? '' : text.slice(hash);
  const whole = hash < 0 ? text : text.slice(0, hash);
  const question = whole.indexOf('?');
  const query = question < 0 ? undefined : whole.slice(question + 1);
  const path = question < 0 ? whole : whole.slice(0, question);

  // The last one: a base may hold the same words, what stands below never does.
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

/** The text of an address. */
export function formatAddress(address: Address): string {
  const { base, marker, version, slash, segments, query, fragment } = address;
  return `${base}${marker}${version}${slash}${segments.join('/')}${query === undefined ? '' : `?${query}`}${fragment}`;
}

/**
 * The values of a path template's parameters, or undefined when the path is not one of the template.
 * A slash at the end of the path is passed over.
 */
export function matchTemplate(
  template: string,
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const wanted = template.slice(1).split('/');
  const found = withoutLastSlash(segments);
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

export function withoutLastSlash(segments: readonly string[]): readonly string[] {
  return segments.at(-1) === '' ? segments.slice(0, -1) : segments;
}
