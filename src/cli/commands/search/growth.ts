/** Counts the matching records in the snapshots of a mirror. */
import { listSnapshotsByTime } from '../../../mirror/commit.js';
import type { Kind } from '../../../service/kinds.js';
import type { Chart } from '../../../service/records/collection-figures.js';
import type { RecordSearch } from '../../../service/search/record-search.js';
import { connect } from '../../connect.js';
import type { Context } from '../../context.js';
import { findRecordFiles } from '../../options/files/record-files.js';
import { countMatches } from './search-pages.js';

/** Returns a chart with a row for each snapshot, oldest first; `[]` if `--from` is not a mirror with old snapshots. */
export async function createGrowthCharts(
  context: Context,
  kind: Kind,
  search: RecordSearch,
): Promise<readonly Chart[]> {
  const [folder = '', ...others] = context.globalOptions.from;
  const snapshots = others.length > 0 ? [] : await listSnapshotsByTime(folder, kind);
  if (snapshots.length < 2) return [];
  const rows: { readonly label: string; readonly count: number }[] = [];
  for (const { path, time } of snapshots) {
    const files = () => findRecordFiles([path], context.signal);
    const client = await connect({ ...context, files });
    const past = { ...context, files, client: async () => client };
    rows.push({ label: time, count: await countMatches(past, kind, search) });
  }
  return [{ title: 'Growth', rows, records: 0, inSeveralRows: 0 }];
}
