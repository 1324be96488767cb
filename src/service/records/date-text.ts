/** Parses dates as museums write them: "c.1861–72", "?1798", "before 1900", "late 19th century", "1861 or 1862". */

/** The first and the last year. Years before our era (BC) are negative. An open end is undefined: "before 1900" has no `from`. */
export interface DateRange {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const MAX_YEAR = 2100;

const MAX_LENGTH = 80;

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const DAY = '(?:\\d{1,2}(?:st|nd|rd|th)?\\s+)?';

/** These replacements, in this order, unify the notation, and remove text that does not belong to the years. */
const SIMPLIFICATIONS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\bb\. ?c\.(?: ?e\.)?/g, 'bc'],
  [/\(\s*\?\s*\)/g, ' '],
  [/(\dth|\dst|\dnd|\drd) c(?![a-z])\.?(?!\s*\d)/g, '$1 century'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[?[\])]/g, ' '],
  [/\(/g, ', '],
  [/^[\s,]+/, ''],
  // A later event is not the date of the work, as in "1828, reprinted 1874". "1821, printed 1830" stays: its meaning is unclear.
  [
    /[,;]\s*(?:(?:later |posthumous |printed )?(?:reprinted|published|exhibited|cast|replica|edition)|printed later)\b.*$/,
    '',
  ],
  [/^(\d{4})-\d\d-\d\d(?:t[\d:.]+)?(?:z|[+-][\d:]+)?$/, '$1'],
  [/^\d{1,2}[./]\d{1,2}[./](\d{4})$/, '$1'],
  [new RegExp(`${DAY}${MONTH}\\s*-\\s*(?=${DAY}${MONTH})`, 'g'), ''],
  [new RegExp(`(?:\\d{1,2}\\s*-\\s*)?${DAY}\\b${MONTH}\\s+(?:\\d{1,2},\\s*)?(?=\\d{4}\\b)`, 'g'), ''],
  [/\b(?:spring|summer|autumn|winter)\s+(?=\d{4}\b)/g, ''],
  [/\b(?:circa|about|around|approximately|probably|possibly|perhaps|between|the)\b/g, ' '],
  [/\b(?:published|exhibited|made|painted|drawn|dated|signed|active|ca?)\b\.?|\bca?(?=\d{4})/g, ' '],
  [/^\s*printed(?=\s+\d)|\bfrom(?=.*\d\s*(?:-|to)\s*\d)/, ''],
  [/^\s*first(?=\s+\d)/, ''],
  [/\b(early|mid|late)-/g, '$1 '],
  [/\b(?:ad|ce)\b\.?/g, ' '],
  [/\s+/g, ' '],
];

const OPEN_START = /^\s*(?:before|by|until|not after|died|d\.)(?=\s|\d)/;
const OPEN_END = /^\s*(?:after|since|from|not before|born|b\.|established|founded)(?=\s|\d)/;
const OR_LATER = / ?(?:(?:or|and) later|onwards|-)$/;
const BEFORE_OUR_ERA = / ?\bbce?$/;

/** Ignores later events, such as "reprinted 1874". Returns undefined if opac cannot read all of the remaining text. */
export function parseDateText(value: string): DateRange | undefined {
  if (value.length > MAX_LENGTH) return undefined;
  const hasShortYears = /\b(?:ad|ce|bc|bce)\b/i.test(value);
  let text = SIMPLIFICATIONS.reduce(
    (simpler, [pattern, replacement]) => simpler.replace(pattern, replacement),
    value.toLowerCase(),
  ).trim();
  const isBefore = OPEN_START.test(text);
  const isAfter = OPEN_END.test(text) || OR_LATER.test(text);
  for (const pattern of [OPEN_START, OPEN_END, OR_LATER]) text = text.replace(pattern, '');
  const isBeforeOurEra = BEFORE_OUR_ERA.test(text);
  const range = parsePeriods(text.replace(BEFORE_OUR_ERA, ''), { hasShortYears, isBeforeOurEra });
  if (!range || (isBefore && isAfter)) return undefined;
  if (isBefore) return { to: range.to };
  return isAfter ? { from: range.from } : range;
}

interface Era {
  readonly hasShortYears: boolean;
  readonly isBeforeOurEra: boolean;
}

type Period = Required<{ readonly [End in keyof DateRange]: number }>;

const PART = '(?:(early|mid|late|(?:first|1st|second|2nd|last) half of)\\s+)?';
const PERIOD = new RegExp(
  `\\s*${PART}(?:(\\d{1,3}0)'?s|(\\d{1,2})(?:st|nd|rd|th)(?:[\\s-]*c(?:entury|enturies|ent\\.?|\\.?)(?![a-z]))?|(\\d{1,4}))(?![\\da-z])\\s*`,
  'y',
);
const CONNECTOR = /\s*(-|to\b|,|;|or\b|and\b|&|\/)/y;

/** Parses one or more periods, as in "1797 or 98-1863", and returns the range from the first to the last year. */
function parsePeriods(text: string, era: Era): Period | undefined {
  let range: Period | undefined;
  let connector = '';
  let at = 0;
  while (at < text.length) {
    PERIOD.lastIndex = at;
    const match = PERIOD.exec(text);
    const period = match && readPeriod(match, era, range?.to, text);
    if (!period) return undefined;
    if (/^(?:-|to)$/.test(connector) && range && period.to < range.from) return undefined;
    range = range ? { from: Math.min(range.from, period.from), to: Math.max(range.to, period.to) } : period;
    at = CONNECTOR.lastIndex = PERIOD.lastIndex;
    if (at === text.length) return range;
    connector = CONNECTOR.exec(text)?.[1] ?? '';
    if (connector === '') return undefined;
    at = CONNECTOR.lastIndex;
  }
  return undefined;
}

function readPeriod(
  [, part, decade, century, year]: RegExpExecArray,
  era: Era,
  previousYear: number | undefined,
  text: string,
): Period | undefined {
  if (century !== undefined)
    return /\d(?:st|nd|rd|th)[\s-]*c/.test(text)
      ? selectPart((Number(century) - 1) * 100, 100, part, era)
      : undefined;
  if (decade !== undefined)
    return decade.length === 4
      ? selectPart(Number(decade), decade.endsWith('00') ? 100 : 10, part, era)
      : undefined;
  const number = part === undefined ? completeYear(year as string, previousYear, era) : undefined;
  return number === undefined ? undefined : { from: number, to: number };
}

/** Completes a short year with the first digits of the previous year: in "1861–72", "72" means 1872. */
function completeYear(
  digits: string,
  previousYear: number | undefined,
  { hasShortYears, isBeforeOurEra }: Era,
): number | undefined {
  if (isBeforeOurEra) return -Number(digits);
  if (digits.length === 4 || hasShortYears)
    return Number(digits) > 0 && Number(digits) <= MAX_YEAR ? Number(digits) : undefined;
  if (previousYear === undefined) return undefined;
  const year = Number(String(previousYear).slice(0, -digits.length) + digits);
  return year >= previousYear ? year : undefined;
}

const PARTS: Readonly<Record<string, readonly [from: number, to: number]>> = {
  early: [0, 1 / 3],
  mid: [1 / 3, 2 / 3],
  late: [2 / 3, 1],
  'first half of': [0, 1 / 2],
  '1st half of': [0, 1 / 2],
  'second half of': [1 / 2, 1],
  '2nd half of': [1 / 2, 1],
  'last half of': [1 / 2, 1],
};

function selectPart(start: number, years: number, part = '', { isBeforeOurEra }: Era): Period {
  const [first, last] = PARTS[part] ?? [0, 1];
  const begin = start + Math.floor(years * first);
  const end = start + Math.ceil(years * last) - 1;
  if (!isBeforeOurEra) return { from: begin, to: end };
  return { from: -(start + years - 1 - (begin - start)), to: -(start + years - 1 - (end - start)) };
}
