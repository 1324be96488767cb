/** `opac complete`, which the scripts of `opac completion` call. */
import { parseShellWords } from '../description/shell-words.js';
import { findCandidates } from './candidates.js';

/**
 * `argv`: `-- <word>…` or `--line <text>`, up to the cursor. Returns one line per candidate: `candidate<tab>summary`. For a
 * directive, adds a line such as `:files`. Returns `''` after an error.
 */
export async function complete(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const [form, ...rest] = argv;
  const words = form === '--line' ? parseShellWords(rest[0] ?? '').slice(1) : rest;
  try {
    const { candidates, directive } = await findCandidates(words, () => readProfileNames(environment));
    const lines = candidates.map(({ value, summary }) => (summary ? `${value}\t${summary}` : value));
    return [...lines, ...(directive ? [`:${directive}`] : [])].map((line) => `${line}\n`).join('');
  } catch {
    return '';
  }
}

async function readProfileNames({ OPAC_CONFIG_DIR }: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const { ProfileStore } = await import('../../auth/store/profile-store.js');
  return (await new ProfileStore({ folder: OPAC_CONFIG_DIR, note: () => {} }).listNames()).names;
}
