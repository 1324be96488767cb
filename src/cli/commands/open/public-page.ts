/** Creates the URL of the public page of a record from a pattern such as `{base_url}/{kind}/{id}`. */
import { UsageError } from '../../../service/errors.js';
import { percentEncode } from '../../../service/percent-encoding.js';
import { didYouMean } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import { DEFAULT_MOCK_URL } from '../../defaults.js';

/** For `--mock`, and if no profile sets a pattern. */
export const DEFAULT_PATTERN = '{base_url}/{kind}/{id}';

const PLACEHOLDERS = ['base_url', 'kind', 'id', 'slug'] as const;
export type PagePlaceholder = (typeof PLACEHOLDERS)[number];

export function hasPlaceholder(pattern: string, placeholder: PagePlaceholder): boolean {
  return pattern.includes(`{${placeholder}}`);
}

/** Throws a UsageError for an unknown placeholder, and if the result is not a valid http or https URL. */
export function formatPublicPageUrl(
  pattern: string,
  values: Readonly<Record<PagePlaceholder, string>>,
): string {
  const url = pattern.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const placeholder = PLACEHOLDERS.find((each) => each === name);
    if (placeholder === undefined)
      throw new UsageError(
        `unknown placeholder {${name}} in the public page URL pattern`,
        didYouMean(name, PLACEHOLDERS),
      );
    return placeholder === 'base_url' ? values.base_url : percentEncode(values[placeholder]);
  });
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageError(
      `the public page URL pattern "${pattern}" does not create an http URL`,
      'set a pattern such as {base_url}/{kind}/{id} with: opac login --public-page',
    );
  return new URL(url).href;
}

/** Throws an OpacError if no option, variable or profile selects a deployment. */
export async function resolvePublicPagePattern(
  context: Context,
): Promise<{ readonly baseUrl: string; readonly pattern: string }> {
  // The port of the built-in museum changes with every run, so this example URL has the default port.
  if (context.globalOptions.mock) return { baseUrl: DEFAULT_MOCK_URL, pattern: DEFAULT_PATTERN };
  const { openDeployment } = await import('../../connect.js');
  const { baseUrl, profile } = await openDeployment(context);
  return { baseUrl, pattern: profile?.publicPage ?? DEFAULT_PATTERN };
}
