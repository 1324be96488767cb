/**
 * What is to be downloaded, before anything is: every image that a search finds is held against the rules, named, and noted in a
 * file, so that names do not depend on the order of the images and memory not on their number.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileError } from '../../export/files/file-error.js';
import { linesOf } from '../../export/files/lines.js';
import { openNew } from '../../export/files/open-new.js';
import { UsageError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { didYouMean } from '../../service/nearest.js';
import type { CollectionRecord } from '../../service/records/record.js';
import { type ImageRow, imageRows } from '../image-row.js';
import { identityOf, NameList } from '../names/name-list.js';
import type { NameTemplate } from '../names/name-template.js';
import { pickDerivative } from '../pick-derivative.js';
import type { RightsRule } from '../rights/rights-rule.js';
import { type RowColumn, rowColumn } from '../row-columns.js';
import type { ReportRow } from './index-file.js';

export interface PlanOptions {
  readonly template: NameTemplate;
  /** The first of these that an image has, else its largest. */
  readonly derivatives: readonly string[];
  readonly rights: RightsRule | undefined;
  readonly creditField: string;
  /** Pixels that an image has at least; smaller ones are passed over. */
  readonly minWidth: number | undefined;
  /** Images at most. */
  readonly limit: number | undefined;
  /** Whether records are kept, to be written beside their images. */
  readonly withRecords: boolean;
  /** The columns that were asked for by name: one that is of no record is a slip. */
  readonly named: readonly RowColumn[];
  /** Fields that the deployment publishes, asked for only when no record has a field that was named. */
  readonly publishedFields: () => Promise<readonly string[]>;
}

/** An image that is wanted. */
export interface WantedImage {
  /** Its path below the folder, without the ending. */
  readonly name: string;
  readonly recordType: string;
  readonly recordId: string;
  readonly title: string;
  readonly imageId: string;
  readonly position: number;
  readonly sourceUrl: string;
  readonly derivative: string;
  readonly width?: number;
  readonly height?: number;
  readonly rights: string;
  readonly rightsReason: string;
  readonly creditLine: string;
  /** The record and the image as the service gave them. */
  readonly source?: Json;
}

export interface Plan {
  /** How many are wanted. */
  readonly count: number;
  /** What they are expected to have in all, from their pixels. */
  readonly pixels: number;
  /** How many images were found in all. */
  readonly found: number;
  readonly wanted: () => AsyncGenerator<WantedImage>;
  /** The images that are passed over, or had otherwise than asked. */
  readonly remarks: () => AsyncGenerator<ReportRow>;
}

/** Fields that say what may be done with an image, the likelier first: observed or likely, none of them promised. */
const RIGHTS_COLUMNS = ['image@copyright', 'copyright', 'rights', 'rights_statement', 'licence', 'license'];

type Planned = WantedImage & { readonly identity: string };
type Line = { readonly wanted: Planned } | { readonly remark: ReportRow };

/**
 * Makes the plan of these records, in a file in `folder`. Throws a UsageError for a field or a derivative that none of them
 * has, and an OpacError when the file cannot be written.
 */
export async function makePlan(
  records: AsyncIterable<readonly CollectionRecord[]>,
  folder: string,
  options: PlanOptions,
): Promise<Plan> {
  const path = join(folder, 'plan.ndjson');
  const names = new NameList();
  const seen = { fields: new Set<string>(), derivatives: new Set<string>() };
  const counts = { found: 0, wanted: 0, pixels: 0 };

  async function* lines(): AsyncGenerator<string> {
    for await (const page of records) {
      for (const record of page) {
        for (const field of record.fields.keys()) seen.fields.add(field);
        for (const row of imageRows(record)) {
          if (counts.found === options.limit) return;
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

  await pipeline(Readable.from(lines()), (await openNew(path)).createWriteStream()).catch((error) =>
    Promise.reject('code' in error ? fileError(error, 'write', path) : error),
  );
  await refuseUnknown(options, seen, counts.found);

  /** The lines of the file again, each wanted image with its name. */
  async function* planned(): AsyncGenerator<{ readonly wanted?: WantedImage; readonly remark?: ReportRow }> {
    const given = names.again();
    for await (const text of linesOf(createReadStream(path, 'utf8'))) {
      const line = JSON.parse(text) as Line;
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

/** What becomes of an image: the rules first, so that nothing is asked of an image that may not be had. */
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

/** A line of the report on an image. */
export function remarkOn(
  image: Omit<ReportRow, 'status' | 'reason'>,
  status: ReportRow['status'],
  reason: string,
): ReportRow {
  const { recordType, recordId, title, imageId, position, sourceUrl } = image;
  return { recordType, recordId, title, imageId, position, sourceUrl, status, reason };
}

/** Where no record has a field or derivative that was named, it is misspelt: nothing is to be fetched under a wrong name. */
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
