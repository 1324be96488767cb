/** The URL of a record's public page: a pattern with parts in braces. */
import { UsageError } from '../../../service/errors.js';
import { percentEncode } from '../../../service/percent-encoding.js';
import { didYouMean } from '../../../service/suggest-name.js';

/** Unless the profile says otherwise. */
export const DEFAULT_PATTERN = '{base_url}/{kind}/{id}';

const PARTS = ['base_url', 'kind', 'id', 'slug'] as const;
export type PagePlaceholder = (typeof PARTS)[number];

export function hasPlaceholder(pattern: string, part: PagePlaceholder): boolean {
  return pattern.includes(`{${part}}`);
}

/** Throws a UsageError for an unknown part, and for what is not an http URL: nothing else is handed to a browser. */
export function formatPublicPageUrl(
  pattern: string,
  values: Readonly<Record<PagePlaceholder, string>>,
): string {
  const address = pattern.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const part = PARTS.find((each) => each === name);
    if (part === undefined)
      throw new UsageError(`unknown part {${name}} in the pattern of public pages`, didYouMean(name, PARTS));
    return part === 'base_url' ? values.base_url : percentEncode(values[part]);
  });
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new UsageError(
      `the pattern of public pages "${pattern}" does not make an http URL`,
      'for example {base_url}/{kind}/{id}; set it with: opac login --public-page',
    );
  return new URL(address).href;
}
