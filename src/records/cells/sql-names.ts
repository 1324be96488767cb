/** Column names that databases and data frames accept without quotes. */
import { normalizeUnicode } from '../../service/normalize-unicode.js';

/** PostgreSQL truncates longer names. */
const MAX_NAME_BYTES = 63;

/** Words that PostgreSQL, MySQL or SQLite reserve and do not accept as column names. */
const RESERVED = new Set(
  `all and any as asc between both by case cast check collate column condition constraint create cross default delete desc distinct do
  drop else end except exists false fetch for foreign from full function grant group groups having if in index inner insert intersect
  interval into is join key keys leading left like limit lines match natural not null of offset on option or order out outer over
  primary procedure range rank read references replace right row rows schema select set some system table then to true union unique
  update usage use user using values when where window with write`.split(/\s+/),
);

/** Names contain only `a` to `z`, `0` to `9` and `_`. Duplicate names get `_2`, `_3`, …. */
export function toSqlNames(headers: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  /** The next number of each name. Counting from 2 each time would be slow for many duplicates. */
  const next = new Map<string, number>();
  return headers.map((header) => {
    const name = toSqlName(header);
    let free = name.slice(0, MAX_NAME_BYTES);
    for (let n = next.get(name) ?? 2; taken.has(free); next.set(name, ++n))
      free = `${name.slice(0, MAX_NAME_BYTES - `_${n}`.length)}_${n}`;
    taken.add(free);
    return free;
  });
}

function toSqlName(header: string): string {
  const name = normalizeUnicode(header, 'NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  if (RESERVED.has(name)) return `${name}_`;
  return /^[a-z]/.test(name) ? name : name === '' ? 'field' : `_${name}`;
}
