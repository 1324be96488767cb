/** Plans a download: the name and the source of each image. To save memory, the plan is in a file. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import type { CollectionRecord } from '../../service/records/record.js';
import { didYouMean, findClosestName } from '../../service/suggest-name.js';
import { replaceFile } from '../../system/replace-file.js';
import { splitLines } from '../../system/split-lines.js';
import { assertKnownFields, type ImageColumn, parseImageColumn, RIGHTS_COLUMNS } from '../image-columns.js';
import { type ImageRow, type IsWanted, pickDerivative, selectImageRows } from '../image-row.js';
import { getImageKey, UniqueNames } from '../names/file-names.js';
import type { NameTemplate } from '../names/name-template.js';
import type { RightsRule } from '../rights/rights-rule.js';
import type { ImageReference, ReportRow } from './index-file.js';

export interface PlanOptions {
  readonly template: NameTemplate;
  readonly derivatives: readonly string[];
  readonly rights: RightsRule | undefined;
  readonly creditField: string;
  readonly minWidth: number | undefined;
  readonly isWanted: IsWanted;
  readonly offset: number;
  readonly limit: number | undefined;
  readonly withRecords: boolean;
  /** The columns that the user named. A column is an error if its field is in no record and the service does not publish it. */
  readonly namedColumns: readonly ImageColumn[];
  /** Called only if a column has a field that is in no record. */
  readonly publishedFields: () => Promise<readonly string[]>;
}

export interface PlannedImage extends ImageReference {
  /** Path below the folder, without file extension. */
  readonly name: string;
  readonly derivative: string;
  readonly width?: number;
  readonly height?: number;
  readonly rights: string;
  readonly rightsReason: string;
  readonly creditLine: string;
  readonly accessionNumber: string;
  readonly source?: Json;
}

export interface DownloadPlan {
  readonly count: number;
  /** The number of images that `isWanted`, `offset` and `limit` select. */
  readonly found: number;
  readonly refused: number;
  readonly wanted: () => AsyncGenerator<PlannedImage>;
  /** Images that opac refuses, skips or renames, images without a URL, and images in another derivative than requested. */
  readonly remarks: () => AsyncGenerator<ReportRow>;
}

const ACCESSION_COLUMN = 'accession_no';

type Planned = PlannedImage & { readonly identity: string };
type Line = { readonly wanted: Planned } | { readonly remark: ReportRow };

/** Throws a UsageError for an unknown field or derivative, and an OpacError for a disk error. */
export async function createDownloadPlan(
  records: AsyncIterable<readonly CollectionRecord[]>,
  folder: string,
  options: PlanOptions,
): Promise<DownloadPlan> {
  const path = join(folder, 'plan.ndjson');
  const names = new UniqueNames();
  const seen = { fields: new Set<string>(), attributes: new Set<string>(), derivatives: new Set<string>() };
  const counts = { found: 0, count: 0, refused: 0 };

  async function* lines(): AsyncGenerator<string> {
    for await (const row of selectImageRows(records, options.isWanted, options.offset, options.limit)) {
      counts.found++;
      for (const field of row.record.fields.keys()) seen.fields.add(field);
      for (const key of row.image.attributes.keys()) seen.attributes.add(`image@${key}`);
      for (const { identifier } of row.image.derivatives) seen.derivatives.add(identifier);
      for (const line of evaluateImage(row, options)) {
        if ('wanted' in line) {
          counts.count++;
          names.add(line.wanted.name);
        } else if (line.remark.status === 'refused') counts.refused++;
        yield `${JSON.stringify(line)}\n`;
      }
    }
  }

  await replaceFile(path, lines());
  if (counts.found > 0) await assertKnownNames(options, seen);
  return {
    ...counts,
    async *wanted() {
      for await (const { wanted } of readPlan(path, names)) if (wanted) yield wanted;
    },
    async *remarks() {
      for await (const { remark } of readPlan(path, names)) if (remark) yield remark;
    },
  };
}

async function* readPlan(
  path: string,
  names: UniqueNames,
): AsyncGenerator<{ readonly wanted?: PlannedImage; readonly remark?: ReportRow }> {
  const assignName = names.createAssigner();
  for await (const text of splitLines(createReadStream(path, 'utf8'))) {
    const line = parseJsonLossless(text) as Line;
    if ('remark' in line) {
      yield line;
      continue;
    }
    const { identity, ...wanted } = line.wanted;
    const name = assignName(wanted.name, identity);
    yield { wanted: { ...wanted, name } };
    const reason = `the name "${wanted.name}" is used by several images; saved as "${name}"`;
    if (name !== wanted.name) yield { remark: createReportRow(wanted, 'renamed', reason) };
  }
}

function* evaluateImage(row: ImageRow, options: PlanOptions): Generator<Line> {
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
  const remark = (status: ReportRow['status'], reason: string) => ({
    remark: createReportRow(own, status, reason),
  });
  const verdict = options.rights?.evaluate(row);
  if (verdict && !verdict.allowed) return yield remark('refused', verdict.reason);
  if (!derivative) return yield remark('failed', 'the record has no URL for this image');
  const { width, height, identifier } = derivative;
  if (options.minWidth !== undefined && width !== undefined && width < options.minWidth)
    return yield remark('skipped', `the image is ${width} pixels wide`);
  const { derivatives } = options;
  if (derivatives.length > 0 && !derivatives.includes(identifier))
    yield remark('substituted', `no ${derivatives.join(' or ')} exists; opac uses ${identifier} instead`);
  const getFirstValue = (columns: readonly string[]) =>
    columns.map((name) => parseImageColumn(name).values(row).join('; ')).find((text) => text !== '') ?? '';
  yield {
    wanted: {
      ...own,
      name: options.template.stem(row),
      identity: getImageKey(row),
      derivative: identifier,
      ...(width !== undefined && height !== undefined && { width, height }),
      rights: verdict?.found ?? getFirstValue(RIGHTS_COLUMNS),
      rightsReason: verdict?.reason ?? '',
      creditLine: getFirstValue([options.creditField]),
      accessionNumber: getFirstValue([ACCESSION_COLUMN]),
      ...(options.withRecords && { source: record.raw }),
    },
  };
}

export function createReportRow(image: ImageReference, status: ReportRow['status'], reason: string) {
  const { recordType, recordId, title, imageId, position, sourceUrl } = image;
  return { recordType, recordId, title, imageId, position, sourceUrl, status, reason };
}

async function assertKnownNames(
  { namedColumns, derivatives, publishedFields }: PlanOptions,
  seen: Readonly<Record<'fields' | 'attributes' | 'derivatives', ReadonlySet<string>>>,
): Promise<void> {
  await assertKnownFields(namedColumns, new Set([...seen.fields, ...seen.attributes]), publishedFields);
  for (const { name } of namedColumns) {
    // Images outside this search may have this attribute, so opac throws only if an image of this search has a similar attribute.
    const similar = seen.attributes.has(name) ? undefined : findClosestName(name, seen.attributes);
    if (similar && name.startsWith('image@'))
      throw new UsageError(`no image has "${name}"`, `did you mean "${similar}"?`);
  }
  const unknown = derivatives.find((name) => !seen.derivatives.has(name));
  if (unknown === undefined || seen.derivatives.size === 0) return;
  throw new UsageError(`no image has a derivative "${unknown}"`, didYouMean(unknown, [...seen.derivatives]));
}
