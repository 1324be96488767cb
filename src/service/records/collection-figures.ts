/** The figures of a collection report, from one pass over its records. */
import { readDateRanges } from '../search/date-terms.js';
import { parseColumn } from './columns.js';
import { countFieldUse, type FieldUse, mergeFieldUse, type PublishedField } from './field-use.js';
import type { CollectionRecord } from './record.js';

export interface ChartRow {
  readonly label: string;
  readonly count: number;
  /** True for rows such as `no value`, `unknown date`, `other (3)` and `before 1790s`. */
  readonly isRest?: boolean;
}

/** In charts of `ChartCounter`, the sum of the rows is `records`, or more if some records count in several rows. */
export interface Chart {
  readonly title: string;
  readonly rows: readonly ChartRow[];
  readonly records: number;
  /** The number of records that count in several rows. */
  readonly inSeveralRows: number;
  readonly note?: string;
}

interface ChartColumn {
  readonly column: string;
  readonly title: string;
  /** Only for dates: the number of years that a row covers. A date counts in the row of its first year. */
  readonly yearsPerRow?: number;
}

const CHARTS: readonly ChartColumn[] = [
  { column: 'classification', title: 'Classification' },
  { column: 'collection', title: 'Collection' },
  { column: 'production_date', title: 'Decade', yearsPerRow: 10 },
  { column: 'maker_name', title: 'Maker' },
  { column: 'acquisition_year', title: 'Year of acquisition', yearsPerRow: 1 },
];

const MAX_VALUES = 15;
const MAX_PERIODS = 40;
const MAX_NEWEST = 8;
const NO_VALUE = '[]';
const UNKNOWN_DATE = '?';

class ChartCounter {
  readonly chart: ChartColumn;
  /** The number of records for each combination of `keys`. A key is a value or, for dates, the first year of a row (1840). */
  readonly #groups = new Map<string, { readonly keys: readonly string[]; count: number }>();

  constructor(chart: ChartColumn) {
    this.chart = chart;
  }

  add(record: CollectionRecord): void {
    const values = parseColumn(this.chart.column).values(record);
    const keys = [...new Set(this.chart.yearsPerRow ? this.#readPeriods(record) : values)].filter(Boolean);
    const isUnknown = keys.length === 0 && values.length > 0;
    const name = isUnknown ? UNKNOWN_DATE : JSON.stringify(keys.sort());
    const group = this.#groups.get(name) ?? { keys, count: 0 };
    group.count++;
    this.#groups.set(name, group);
  }

  #readPeriods(record: CollectionRecord): readonly string[] {
    const { column, yearsPerRow = 1 } = this.chart;
    const years = readDateRanges(record, column).flatMap(({ from }) => from ?? []);
    return years.map((year) => String(Math.floor(year / yearsPerRow) * yearsPerRow));
  }

  count(): Chart {
    const { title, yearsPerRow } = this.chart;
    const keys = this.#sortKeys();
    const shown = keys.slice(0, yearsPerRow ? MAX_PERIODS : MAX_VALUES);
    const others = new Set(keys.slice(shown.length).map(([key]) => key));
    const hasOther = (each: readonly string[]) => each.some((key) => others.has(key));
    const countRows = (each: readonly string[]) =>
      each.filter((key) => !others.has(key)).length + Number(hasOther(each));
    const rest = (label: string, count: number) => ({ label, count, isRest: true });
    const rows = shown.map(([key, count]) => ({ label: yearsPerRow === 10 ? `${key}s` : key, count }));
    const label = yearsPerRow ? `before ${rows.at(-1)?.label}` : `other (${others.size})`;
    const other = others.size > 0 ? [rest(label, this.#sum(hasOther))] : [];
    return {
      title,
      rows: [
        ...(yearsPerRow ? [...other, ...rows.reverse()] : [...rows, ...other]),
        ...(yearsPerRow ? [rest('unknown date', this.#groups.get(UNKNOWN_DATE)?.count ?? 0)] : []),
        rest('no value', this.#groups.get(NO_VALUE)?.count ?? 0),
      ],
      records: this.#sum(() => true),
      inSeveralRows: this.#sum((each) => countRows(each) > 1),
    };
  }

  /** Sorts values by count, the most frequent first, and periods by time, the latest first. */
  #sortKeys(): [key: string, count: number][] {
    const counts = new Map<string, number>();
    for (const { keys, count } of this.#groups.values())
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + count);
    return [...counts].sort(([one, countOfOne], [other, countOfOther]) =>
      this.chart.yearsPerRow
        ? Number(other) - Number(one)
        : countOfOther - countOfOne || (one < other ? -1 : 1),
    );
  }

  #sum(isCounted: (keys: readonly string[]) => boolean): number {
    return [...this.#groups.values()].reduce((sum, each) => sum + (isCounted(each.keys) ? each.count : 0), 0);
  }
}

export interface Acquisition {
  readonly record: CollectionRecord;
  readonly year: number;
}

export class CollectionFigures {
  total = 0;
  withImages = 0;
  /** The latest acquisitions, the latest year first. In each year, records with images come first. */
  newest: readonly Acquisition[] = [];
  readonly #published: readonly PublishedField[];
  readonly #counters = CHARTS.map((chart) => new ChartCounter(chart));
  #fields: readonly FieldUse[];

  constructor(published: readonly PublishedField[]) {
    this.#published = published;
    this.#fields = countFieldUse([], published);
  }

  add(records: readonly CollectionRecord[]): void {
    const hasImage = ({ record: { images } }: Acquisition) => Number(images.length > 0);
    this.total += records.length;
    this.withImages += records.filter(({ images }) => images.length > 0).length;
    this.#fields = mergeFieldUse([this.#fields, countFieldUse(records, this.#published)], this.total);
    for (const counter of this.#counters) for (const record of records) counter.add(record);
    this.newest = [...this.newest, ...records.flatMap(readAcquisition)]
      .sort((one, other) => other.year - one.year || hasImage(other) - hasImage(one))
      .slice(0, MAX_NEWEST);
  }

  get fields(): readonly FieldUse[] {
    return mergeFieldUse([this.#fields], this.total);
  }

  get charts(): readonly Chart[] {
    const known = new Set(['collection', ...this.fields.map(({ column }) => column)]);
    return this.#counters.filter(({ chart }) => known.has(chart.column)).map((counter) => counter.count());
  }
}

function readAcquisition(record: CollectionRecord): readonly Acquisition[] {
  const [first] = readDateRanges(record, 'acquisition_year');
  const year = first?.from ?? first?.to;
  return year === undefined ? [] : [{ record, year }];
}
