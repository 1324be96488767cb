/** The columns of images, for `--columns`, `--name` and `--rights`: properties of an image and fields of its record. */
import { UsageError } from '../service/errors.js';
import type { JsonObject } from '../service/json.js';
import { parseColumn } from '../service/records/columns.js';
import { type Color, findLargestDerivative } from '../service/records/record.js';
import { didYouMean } from '../service/suggest-name.js';
import { getMainColors, type ImageRow } from './image-row.js';

export type RowValues = (row: ImageRow) => readonly string[];

const ROW_COLUMNS: Readonly<Record<string, RowValues>> = {
  recordType: ({ record }) => [record.recordType],
  recordId: ({ record }) => [record.id],
  title: ({ record }) => [record.title],
  imageId: ({ image }) => [image.id],
  position: ({ position }) => [String(position)],
  caption: ({ image }) => [image.caption],
  colors: ({ image }) => getMainColors(image).map(formatColor),
  labels: ({ image }) => image.labels.map(({ label }) => label),
};

const LISTS: ReadonlySet<string> = new Set(['colors', 'labels']);

export const IMAGE_COLUMN_NAMES: readonly string[] = Object.keys(ROW_COLUMNS);

const DERIVATIVE = /^([A-Z]+\.(?:url|width|height))$/;

/** Columns that often contain the rights, the likeliest first. The API documentation names none of them. */
export const RIGHTS_COLUMNS: readonly string[] = [
  'image@copyright',
  'copyright',
  'rights',
  'rights_statement',
  'licence',
  'license',
];

export interface ImageColumn {
  readonly name: string;
  readonly field: string | undefined;
  readonly isList: boolean;
  readonly values: RowValues;
}

/** Parses a column of an image (`LARGE.url`, `image@copyright`) or of its record. Throws a UsageError for an invalid name. */
export function parseImageColumn(name: string): ImageColumn {
  const own = Object.hasOwn(ROW_COLUMNS, name) ? ROW_COLUMNS[name] : undefined;
  if (own) {
    const values: RowValues = (row) => own(row).filter((value) => value !== '');
    return { name, field: undefined, isList: LISTS.has(name), values };
  }
  const column = parseColumn(name.replace(DERIVATIVE, 'image.$1'));
  const { values } = column;
  if (!isOfImage(column.name)) return { ...column, values: ({ record }) => values(record) };
  return {
    ...column,
    name,
    isList: false,
    values: ({ record, image }) => values({ ...record, images: [image] }),
  };
}

/** Returns true for `image.caption` and `image@copyright`, but not for `image.count`. */
export function isOfImage(name: string): boolean {
  return /^image[.@](?!count$)/.test(name);
}

/** If `name` is a word such as `rights` or `licence`, returns the column of `known` that probably contains the rights. */
export function findRightsColumn(name: string, known: readonly string[]): string | undefined {
  const isMeant = RIGHTS_COLUMNS.includes(name.toLowerCase());
  return isMeant ? RIGHTS_COLUMNS.find((each) => known.includes(each)) : undefined;
}

/** Throws a UsageError for a column whose field is neither in `seen` nor in `publishedFields`, the fields of the service. */
export async function assertKnownFields(
  columns: readonly ImageColumn[],
  seen: ReadonlySet<string>,
  publishedFields: () => Promise<readonly string[]>,
): Promise<void> {
  const unseen = columns.flatMap(({ field }) => (field === undefined || seen.has(field) ? [] : [field]));
  if (unseen.length === 0) return;
  const published = await publishedFields();
  const unknown = unseen.find((field) => !published.includes(field));
  if (unknown === undefined) return;
  const known = [...new Set([...seen, ...published])];
  const rights = findRightsColumn(unknown, known);
  const hint = rights ? `did you mean "${rights}"?` : (didYouMean(unknown, known) ?? '');
  const attribute =
    unknown.includes('@') || hint.startsWith('did you')
      ? ''
      : `for an attribute of the images, write image@${unknown}`;
  throw new UsageError(`no record has a field "${unknown}"`, [hint, attribute].filter(Boolean).join('; '));
}

export function toImageJson(row: ImageRow, named: ImageColumn): JsonObject {
  const { record, image, position } = row;
  return {
    recordType: record.recordType,
    recordId: record.id,
    [named.name]: named.values(row).join('; '),
    title: record.title,
    imageId: image.id,
    position,
    caption: image.caption,
    derivatives: image.derivatives.map(({ identifier, url, width, height }) => ({
      identifier,
      url,
      width: width ?? null,
      height: height ?? null,
    })),
    largest: findLargestDerivative(image)?.identifier ?? null,
    attributes: Object.fromEntries(image.attributes),
    colors: getMainColors(image).map(({ hex, name, presence }) => ({
      hex,
      name,
      presence: presence ?? null,
    })),
    labels: image.labels.map(({ label, score }) => ({ label, score: score ?? null })),
  };
}

function formatColor({ hex, name, presence }: Color): string {
  const share = presence === undefined ? [] : [`${presence}%`];
  return [`#${hex}`, ...toList(name), ...share].join(' ');
}

function toList(text: string | undefined): readonly string[] {
  return text ? [text] : [];
}
