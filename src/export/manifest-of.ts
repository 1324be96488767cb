/** The manifest of one output: what was collected, how it was verified, and what it was converted to. */
import { VERSION } from '../service/version.js';
import type { RunResult } from './collect/export-run.js';
import { type Completeness, gapText } from './verify/completeness.js';
import {
  headsBeside,
  MANIFEST_FORMAT,
  type Manifest,
  type ManifestFile,
  type ManifestIdCheck,
} from './verify/manifest.js';
import { hasRows, type Output } from './write-outputs.js';

/** What the manifests of all outputs have in common. */
export interface RunFacts extends Completeness {
  readonly command: string;
  /** ISO 8601. */
  readonly started: string;
  readonly result: RunResult;
  readonly idCheck: ManifestIdCheck | undefined;
  /** Without those that were dropped. */
  readonly records: number;
}

/** `replaces`: the records of the export that stands at the target. */
export function manifestOf(
  { command, started, reasons, warnings, result, idCheck, records }: RunFacts,
  { spec, converter }: Output,
  files: readonly ManifestFile[],
  replaces: number,
): Manifest {
  const { tally, report, notFound, notUtf8, pages, plan } = result;
  const { table } = converter;
  const columns = table?.columns() ?? [];
  return {
    format: MANIFEST_FORMAT,
    tool: `opac ${VERSION}`,
    command,
    job: spec,
    complete: reasons.length === 0,
    reasons,
    warnings: [...warnings, ...(converter.losses?.() ?? [])],
    files,
    started,
    finished: new Date().toISOString(),
    elapsed: tally.elapsed,
    resumed: tally.resumed,
    totals: {
      first: tally.drift[0]?.total ?? null,
      last: tally.drift.at(-1)?.total ?? null,
      drift: tally.drift,
    },
    received: tally.received,
    records,
    rows: hasRows(spec) ? table?.rows() : undefined,
    duplicates: tally.duplicates,
    withoutId: tally.withoutId,
    replaces,
    gaps: report.gaps.map((gap) => ({ offset: gap.offset, limit: gap.limit, reason: gapText(gap) })),
    notFound,
    idCheck,
    notUtf8,
    columns,
    heads: headsBeside(columns, table?.heads()),
    fields: converter.fields?.(),
    formulas: table?.formulas() ?? 0,
    pages,
    plan,
  };
}
