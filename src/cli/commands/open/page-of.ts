/** Where the deployment in use shows its records to everybody. */
import type { Context } from '../../context.js';
import { MOCK_ADDRESS } from '../../defaults.js';
import { DEFAULT_PATTERN } from './public-page.js';

/** The pattern of its pages and what stands for `{base_url}` in it. Throws an OpacError when no deployment is named. */
export async function pageOf(
  context: Context,
): Promise<{ readonly baseUrl: string; readonly pattern: string }> {
  // The museum has no pages, and it is gone when the command ends.
  if (context.settings.mock) return { baseUrl: MOCK_ADDRESS, pattern: DEFAULT_PATTERN };
  const { deploymentOf } = await import('../../connect.js');
  const { baseUrl, profile } = await deploymentOf(context);
  return { baseUrl, pattern: profile?.publicPage ?? DEFAULT_PATTERN };
}
