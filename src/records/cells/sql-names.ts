/** Heads that databases and data frames take as names, unquoted. */

/** The most that PostgreSQL keeps of a name; others keep more. */
const MAX_NAME_BYTES = 63;

/** Words that PostgreSQL, MySQL or SQLite take for their own where a column is named. */
const RESERVED = new Set(
  `all and any as asc between both by case cast check collate column condition constraint create cross default delete desc distinct do
  drop else end except exists false fetch for foreign from full function grant group groups having if in index inner insert intersect
  interval into is join key keys leading left like limit lines match natural not null of offset on option or order out outer over
  primary procedure range rank read references replace right row rows schema select set some system table then to true union unique
  update usage use user using values when where window with write`.split(/\s+/),
);

/**
 * One name for each head, in order: letters without accents, digits and underscores, lower-case, not beginning with a digit.
 * What else stands in a head becomes an underscore, several in a row one; a word of SQL gets one behind it. Those that were
 * there before end in `_2`, `_3`, ….
 */
export function toSqlNames(heads: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  /** The next number of each name: to count from 2 each time takes the square of their number. */
  const next = new Map<string, number>();
  return heads.map((head) => {
    const name = toSqlName(head);
    let free = name.slice(0, MAX_NAME_BYTES);
    for (let n = next.get(name) ?? 2; taken.has(free); next.set(name, ++n))
      free = `${name.slice(0, MAX_NAME_BYTES - `_${n}`.length)}_${n}`;
    taken.add(free);
    return free;
  });
}

function toSqlName(head: string): string {
  const name = head
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  if (RESERVED.has(name)) return `${name}_`;
  return /^[a-z]/.test(name) ? name : name === '' ? 'field' : `_${name}`;
}
