/** Creates a collection report from one pass through the matching objects. */
import { isTooLarge } from '../../../client/fetch-file.js';
import { fetchImage } from '../../../images/fetch-image.js';
import { findSmallestDerivative } from '../../../images/image-row.js';
import { listSnapshotsByTime } from '../../../mirror/commit.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import {
  type Acquisition,
  type Chart,
  CollectionFigures,
} from '../../../service/records/collection-figures.js';
import { PlaceholderCensus } from '../../../service/records/placeholders.js';
import { getFieldValues, type Image } from '../../../service/records/record.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import { connect } from '../../connect.js';
import type { Context } from '../../context.js';
import { findRecordFiles } from '../../options/files/record-files.js';
import type { SearchInput } from '../../options/search.js';
import {
  createFieldChart,
  renderCards,
  renderCharts,
  renderReportPage,
} from '../../output/report/report-html.js';
import { formatPercent } from '../../output/terminal/numbers.js';
import { writeOutput } from '../../output/write-output.js';
import { noteEmptyResultHint } from '../hints/nothing-found.js';
import { describeSource, formatTitle } from '../search/describe-search.js';
import { resolveSearch } from '../search/resolve-search.js';
import { countMatches } from '../search/search-pages.js';
import { fetchViewFieldsOrNone, markPlaceholders, visitAllRecords } from './fields.js';

const MAX_PAGE_BYTES = 300_000;
const MIN_THUMBNAIL_PIXELS = 150;

export interface ReportInput {
  readonly search: SearchInput;
  readonly title: string | undefined;
  readonly thumbnails: boolean;
}

/** Throws an OpacError: `incomplete` if records or thumbnails are missing, `deployment` if the service lists only ids. */
export async function runReport(context: Context, input: ReportInput): Promise<void> {
  const search = await resolveSearch(input.search, context, 'objects');
  const figures = new CollectionFigures(await fetchViewFieldsOrNone(context, 'objects'));
  const found = new PlaceholderCensus();
  await visitAllRecords(context, 'objects', search, (records) => {
    figures.add(records);
    for (const record of records) found.add(record);
  });
  // In some lists, records contain only their ids (FIELD-NOTES.md "Requests", view).
  if (figures.total > 0 && figures.fields.every(({ filled }) => filled === 0))
    throw new OpacError(
      'deployment',
      'the service lists only ids, so opac cannot count the values of records',
    );
  const growth = await createGrowthCharts(context, search);
  if (context.dryRunLog) return;
  const { total, withImages, newest } = figures;
  const fields = figures.fields
    .filter(({ column }) => !column.startsWith('relationship.'))
    .map((use) => markPlaceholders(use, found.list(use.column), true));
  const [[placeholder] = []] = fields.flatMap(({ column }) => found.list(column));
  const title = input.title ?? formatTitle('Objects', input.search);
  const share = formatPercent(total > 0 ? (withImages / total) * 100 : 0);
  const lines = [
    `${formatCount(total, 'object')}, ${formatNumber(withImages)} with images (${share})`,
    ...(await describeSource(context)),
    'Charts of dates count an object in the first year of its date. opac reads the year from the attributes of the date, or from its text.',
    ...(placeholder === undefined ? [] : [`Fields with a text such as "${placeholder}" count as empty.`]),
  ];
  const charts = renderCharts([...figures.charts, ...growth, createFieldChart(fields)]);
  const render = (thumbnails: readonly string[] = []) =>
    renderReportPage(title, lines, [charts, renderNewest(newest, thumbnails)]);
  const room = MAX_PAGE_BYTES - Buffer.byteLength(render());
  const { thumbnails, failures } = await loadThumbnails(context, input.thumbnails ? newest : [], room);
  await writeOutput(context, [render(thumbnails)]);
  context.note(`report on ${formatCount(total, 'object')}`);
  await noteEmptyResultHint(context, 'objects', search, { written: total });
  if (failures.length === 0) return;
  throw new OpacError(
    'incomplete',
    `${formatCount(failures.length, 'thumbnail')} could not be downloaded; first error: ${failures[0]}`,
    { hint: 'the report was written without them; run the command again, or use --no-thumbnails' },
  );
}

/** Returns a chart with one row per snapshot, the oldest first; `[]` unless `--from` is one mirror with old snapshots. */
async function createGrowthCharts(context: Context, search: RecordSearch): Promise<readonly Chart[]> {
  const [folder, ...others] = context.globalOptions.from;
  if (folder === undefined || others.length > 0) return [];
  const snapshots = await listSnapshotsByTime(folder, 'objects');
  if (snapshots.length < 2) return [];
  const rows: { readonly label: string; readonly count: number }[] = [];
  for (const { path, time } of snapshots) {
    const files = () => findRecordFiles([path], context.signal);
    const client = await connect({ ...context, files });
    const past = { ...context, files, client: async () => client };
    rows.push({ label: time, count: await countMatches(past, 'objects', search) });
  }
  return [{ title: 'Growth', rows, records: 0, inSeveralRows: 0 }];
}

const NEWEST_FIELDS = ['maker_name', 'production_date', 'accession_no'];

function renderNewest(newest: readonly Acquisition[], thumbnails: readonly string[]): string {
  const cards = newest.map(({ record, year }, index) => {
    const lines = NEWEST_FIELDS.map((field) =>
      getFieldValues(record, field)
        .map(({ value }) => value)
        .join('; '),
    );
    const title = record.title || `object ${record.id}`;
    return { title, lines: [...lines, `acquired ${year}`], thumbnail: thumbnails[index] };
  });
  return cards.length > 0 ? renderCards('Newest acquisitions', cards) : '';
}

/** Maximum bytes of the HTML of a thumbnail, without its data. */
const MAX_TAG_BYTES = 700;

/** Returns data URLs that, with their HTML, fit in `room` bytes; `''` for a thumbnail that is missing or too large. */
async function loadThumbnails(context: Context, newest: readonly Acquisition[], room: number) {
  const thumbnails: string[] = [];
  const failures: string[] = [];
  let left = room - newest.length * MAX_TAG_BYTES;
  for (const [index, { record }] of newest.entries()) {
    const maxLength = Math.floor(left / (newest.length - index));
    const thumbnail = await loadThumbnail(context, record.images[0], maxLength).catch((error) => {
      context.signal.throwIfAborted();
      if (!isTooLarge(error)) failures.push(`object ${record.id}: ${error.message}`);
      return '';
    });
    thumbnails.push(thumbnail);
    left -= thumbnail.length;
  }
  return { thumbnails, failures };
}

async function loadThumbnail({ client, signal }: Context, image: Image | undefined, maxLength: number) {
  const { url } = (image && findSmallestDerivative(image, MIN_THUMBNAIL_PIXELS)) ?? {};
  // Base64 has four characters for three bytes. The 50 bytes are for the padding and the prefix `data:…;base64,`.
  const maxBytes = Math.floor((maxLength * 3) / 4) - 50;
  if (url === undefined || maxBytes <= 0) return '';
  const { bytes, mediaType } = await fetchImage(await client(), url, { maxBytes, signal });
  return `data:${mediaType};base64,${bytes.toString('base64')}`;
}
