/** The address of a record's page for people: a pattern with parts in braces, filled in. */
import { UsageError } from '../../../service/errors.js';
import { didYouMean } from '../../../service/nearest.js';

/** Where deployments show records unless the profile says otherwise. */
export const DEFAULT_PATTERN = '{base_url}/{kind}/{id}';

const PARTS = ['base_url', 'kind', 'id', 'slug'] as const;
export type PagePart = (typeof PARTS)[number];

/** Whether the pattern has that part. */
export function needs(pattern: string, part: PagePart): boolean {
  return pattern.includes(`{${part}}`);
}

/**
 * The address for a pattern. Throws a UsageError for a part that is not known, and when what comes out is no http
 * address: nothing else is handed to a browser.
 */
export function publicPage(pattern: string, values: Readonly<Record<PagePart, string>>): string {
  const address = pattern.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const part = PARTS.find((each) => each === name);
    if (part === undefined)
      throw new UsageError(`the pattern of public pages has {${name}}`, didYouMean(name, PARTS));
    return part === 'base_url' ? values.base_url : encodeURIComponent(values[part]);
  });
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    throw new UsageError(
      `the pattern of public pages "${pattern}" gives no web address`,
      'write it as in {base_url}/{kind}/{id}, and keep it with "opac login --public-page"',
    );
  return new URL(address).href;
}
