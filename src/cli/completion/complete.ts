/**
 * `opac complete`, which the scripts of `opac completion` call at each press of the key: prints a candidate a line, with a
 * tab and what it is for; then perhaps `:files` or `:nospace`, for the shell to act on.
 */

import { shellWords } from '../command/shell-words.js';
import { seenFields } from '../commands/items/seen-fields.js';
import { candidatesFor } from './candidates.js';

/** Takes `-- <word>…`, the last being the one that is typed, or `--line <text up to the cursor>`. Never throws. */
export async function complete(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const [form, ...rest] = argv;
  const words = form === '--line' ? shellWords(rest[0] ?? '').slice(1) : rest;
  try {
    const { candidates, directive } = await candidatesFor(words, {
      profiles: () => profileNames(environment),
      fields: (whose, kind) => seenFields(withEnvironment(whose, environment), kind, environment),
    });
    const lines = candidates.map(({ value, summary }) => (summary ? `${value}\t${summary}` : value));
    return [...lines, ...(directive ? [`:${directive}`] : [])].map((line) => `${line}\n`).join('');
  } catch {
    return '';
  }
}

/** Flag before environment, as everywhere. */
function withEnvironment<
  W extends { readonly profile: string | undefined; readonly baseUrl: string | undefined },
>(whose: W, { OPAC_PROFILE, OPAC_BASE_URL }: NodeJS.ProcessEnv): W {
  const { profile, baseUrl } = whose;
  return {
    ...whose,
    profile: profile ?? OPAC_PROFILE,
    baseUrl: baseUrl ?? (profile === undefined ? OPAC_BASE_URL : undefined),
  };
}

async function profileNames({ OPAC_CONFIG_DIR }: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { ProfileStore } = await import('../../auth/store/profiles.js');
  return (await new ProfileStore({ directory: OPAC_CONFIG_DIR, notice: () => {} }).names()).names;
}
