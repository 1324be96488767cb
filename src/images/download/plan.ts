/**
 * Plans a download: checks every image against the rules, names it and notes it in a file, so that names do not depend on
 * the order of images, nor memory on their number.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { didYouMean } from '../../service/nearest.js';
import { parseJson } from '../../service/parse-json.js';
import type { CollectionRecord } from '../../service/records/record.js';
import { linesOf } from '../../system/lines.js';
import { replaceFile } from '../../system/replace-file.js';
import { type ImageRow, imageRows } from '../image-row.js';
import { identityOf, NameList } from '../names/name-list.js';
import type { NameTemplate } from '../names/name-template.js';
import { pickDerivative } from '../pick-derivative.js';
import type { RightsRule } from '../rights/rights-rule.js';
import { type RowColumn, rowColumn } from '../row-columns.js';
import type { ImageReference, ReportRow } from './index-file.js';

export interface PlanOptions {
  readonly template: NameTemplate;
  readonly derivatives: readonly string[];
  readonly rights: RightsRule | undefined;
  readonly creditField: string;
  readonly minWidth: number | undefined;
  /** Images to skip. */
  readonly offset: number;
  readonly limit: number | undefined;
  readonly withRecords: boolean;
  /** Columns named by the user; one that no record has is a misspelling. */
  readonly named: readonly RowColumn[];
  /** Called only when no record has a named field. */
  readonly publishedFields: () => Promise<readonly string[]>;
}

export interface WantedImage extends ImageReference {
  /** Path below the folder, without the ending. */
  readonly name: string;
  readonly derivative: string;
  readonly width?: number;
  readonly height?: number;
  readonly rights: string;
  readonly rightsReason: string;
  readonly creditLine: string;
  readonly source?: Json;
}

export interface Plan {
  readonly count: number;
  readonly pixels: number;
  readonly found: number;
  readonly wanted: () => AsyncGenerator<WantedImage>;
  /** Images skipped or replaced by another derivative. */
  readonly remarks: () => AsyncGenerator<ReportRow>;
}

/** Rights fields, the likelier first: observed or likely, none promised. */
const RIGHTS_COLUMNS = ['image@copyright', 'copyright', 'rights', 'rights_statement', 'licence', 'license'];

type Planned = WantedImage & { readonly identity: string };
type Line = { readonly wanted: Planned } | { readonly remark: ReportRow };

/**
 * Writes the plan to a file in `folder`. Throws a UsageError for a field or derivative that no record has, an OpacError when
 * the disk fails.
 */
export async function makePlan(
  records: AsyncIterable<readonly CollectionRecord[]>,
  folder: string,
  options: PlanOptions,
): Promise<Plan> {
  const path = join(folder, 'plan.ndjson');
  const names = new NameList();
  const seen = { fields: new Set<string>(), derivatives: new Set<string>() };
  const counts = { skipped: 0, found: 0, wanted: 0, pixels: 0 };

  async function* lines(): AsyncGenerator<string> {
    for await (const page of records) {
      for (const record of page) {
        for (const field of record.fields.keys()) seen.fields.add(field);
        for (const row of imageRows(record)) {
          if (counts.found === options.limit) return;
          if (counts.skipped < options.offset) {
            counts.skipped++;
            continue;
          }
          counts.found++;
          for (const { identifier } of row.image.derivatives) seen.derivatives.add(identifier);
          yield* linesFor(row);
        }
      }
    }
  }

  function* linesFor(row: ImageRow): Generator<string> {
    for (const line of judge(row, options)) {
      if ('wanted' in line) {
        counts.wanted++;
        counts.pixels += (line.wanted.width ?? 0) * (line.wanted.height ?? 0);
        names.want(line.wanted.name);
      }
      yield `${JSON.stringify(line)}\n`;
    }
  }

  await replaceFile(path, lines());
  await refuseUnknown(options, seen, counts.found);

  async function* planned(): AsyncGenerator<{ readonly wanted?: WantedImage; readonly remark?: ReportRow }> {
    const given = names.again();
    for await (const text of linesOf(createReadStream(path, 'utf8'))) {
      const line = parseJson(text) as Line;
      if ('remark' in line) {
        yield line;
        continue;
      }
      const { identity, ...wanted } = line.wanted;
      const name = given(wanted.name, identity);
      yield { wanted: { ...wanted, name } };
      if (name !== wanted.name)
        yield {
          remark: remarkOn(wanted, 'renamed', `others want the name "${wanted.name}" too; it is "${name}"`),
        };
    }
  }

  return {
    count: counts.wanted,
    pixels: counts.pixels,
    found: counts.found,
    async *wanted() {
      for await (const { wanted } of planned()) if (wanted) yield wanted;
    },
    async *remarks() {
      for await (const { remark } of planned()) if (remark) yield remark;
    },
  };
}

/** Rules come first: nothing is requested of an image that may not be downloaded. */
function* judge(row: ImageRow, options: PlanOptions): Generator<Line> {
  const { record, image, position } = row;
  const derivative = pickDerivative(image, options.derivatives);
  const own = {
    recordType: record.recordType,
    recordId: record.id,
    title: record.title,
    imageId: image.id,
    position,
    sourceUrl: derivative?.url ?? '',
  };
  const verdict = options.rights?.judge(row);
  if (verdict && !verdict.allowed) return yield { remark: remarkOn(own, 'refused', verdict.reason) };
  if (!derivative) return yield { remark: remarkOn(own, 'failed', 'the record gives no address for it') };
  const { width, height, identifier } = derivative;
  if (options.minWidth !== undefined && width !== undefined && width < options.minWidth) {
    return yield { remark: remarkOn(own, 'skipped', `it is ${width} pixels wide`) };
  }
  const [first] = options.derivatives;
  if (first !== undefined && !options.derivatives.includes(identifier)) {
    yield {
      remark: remarkOn(
        own,
        'substituted',
        `it has no ${options.derivatives.join(' or ')}: its ${identifier} was taken`,
      ),
    };
  }
  const firstOf = (columns: readonly string[]) =>
    columns.map((name) => rowColumn(name).values(row).join('; ')).find((text) => text !== '') ?? '';
  yield {
    wanted: {
      ...own,
      name: options.template.stem(row),
      identity: identityOf(row),
      derivative: identifier,
      ...(width !== undefined && height !== undefined && { width, height }),
      rights: verdict?.found ?? firstOf(RIGHTS_COLUMNS),
      rightsReason: verdict?.reason ?? '',
      creditLine: firstOf([options.creditField]),
      ...(options.withRecords && { source: record.raw }),
    },
  };
}

export function remarkOn(
  image: Omit<ReportRow, 'status' | 'reason'>,
  status: ReportRow['status'],
  reason: string,
): ReportRow {
  const { recordType, recordId, title, imageId, position, sourceUrl } = image;
  return { recordType, recordId, title, imageId, position, sourceUrl, status, reason };
}

/** A name that no record has is misspelt: nothing is fetched under it. */
async function refuseUnknown(
  { named, derivatives, publishedFields }: PlanOptions,
  seen: { readonly fields: ReadonlySet<string>; readonly derivatives: ReadonlySet<string> },
  found: number,
): Promise<void> {
  if (found === 0) return;
  const unseen = named.flatMap(({ field }) => (field === undefined || seen.fields.has(field) ? [] : [field]));
  const published = unseen.length > 0 ? await publishedFields() : [];
  const unknown = unseen.find((field) => !published.includes(field));
  if (unknown !== undefined) {
    throw new UsageError(
      `no record has a field "${unknown}"`,
      didYouMean(unknown, [...seen.fields, ...published]),
    );
  }
  const absent = derivatives.find((name) => !seen.derivatives.has(name));
  if (absent !== undefined && seen.derivatives.size > 0) {
    throw new UsageError(`no image has a derivative "${absent}"`, didYouMean(absent, [...seen.derivatives]));
  }
}
