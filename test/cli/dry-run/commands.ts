/** Command lines for `--dry-run`, quoted for a shell. */
import { execFileSync } from 'node:child_process';

/** Commands whose requests do not depend on responses. */
export const COMMANDS = [
  'objects list blake "paradise lost" --where "maker_name=Rita \\"R\\" Angus\'s" --has-images',
  'objects list --limit 250 --page-size 90 --sort name:desc',
  'persons get 5003 5010',
  'objects count --collection 3',
  'objects list --external-id 20011,20022',
  'facets list objects --facet classification=Art/Paintings',
  'facets get objects classification',
  'relationships get objects 20011 object_prod_pri_person',
  'imagelabels list --object 20011',
  'authorities list persons name',
  'views get persons advancedsearch',
  'collections list',
  'api /opacobjects --param view=label',
  'status',
] as const;

/** Splits a command line into words with a POSIX shell. */
export function splitInShell(line: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}
