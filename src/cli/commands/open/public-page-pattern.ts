/** Where the deployment in use shows its records to everybody. */
import type { Context } from '../../context.js';
import { DEFAULT_MOCK_URL } from '../../defaults.js';
import { DEFAULT_PATTERN } from './public-page.js';

/** The pattern of its pages and what stands for `{base_url}` in it. Throws an OpacError when no deployment is named. */
export async function resolvePublicPagePattern(
  context: Context,
): Promise<{ readonly baseUrl: string; readonly pattern: string }> {
  // The museum has no pages, and it is gone when the command ends.
  if (context.globalOptions.mock) return { baseUrl: DEFAULT_MOCK_URL, pattern: DEFAULT_PATTERN };
  const { openDeployment } = await import('../../connect.js');
  const { baseUrl, profile } = await openDeployment(context);
  return { baseUrl, pattern: profile?.publicPage ?? DEFAULT_PATTERN };
}
