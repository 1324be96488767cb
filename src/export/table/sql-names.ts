/** Heads that databases and data frames take as names, unquoted. */

/** The most that PostgreSQL keeps of a name; others keep more. */
const LONGEST = 63;

/**
 * One name for each head, in order: letters without accents, digits and underscores, lower-case, not beginning with a digit.
 * What else stands in a head becomes an underscore, several in a row one. Those that were there before end in `_2`, `_3`, ….
 */
export function sqlNames(heads: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return heads.map((head) => {
    const name = sqlName(head);
    let free = name.slice(0, LONGEST);
    for (let n = 2; taken.has(free); n++) free = `${name.slice(0, LONGEST - `_${n}`.length)}_${n}`;
    taken.add(free);
    return free;
  });
}

function sqlName(head: string): string {
  const name = head
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return /^[a-z]/.test(name) ? name : name === '' ? 'column' : `_${name}`;
}
