/** The description of an export in checkpoints and manifests. */
import type { Content } from '../system/schema.js';
import * as v from '../system/valibot.js';
import { FORMATS, type ResolvedFormatOptions } from './convert/formats.js';

const COLLECTED = {
  /** Base URL without credentials. */
  deployment: v.string(),
  kind: v.string(),
  query: v.array(v.tuple([v.string(), v.string()])),
};

export const COLLECT_SPEC = v.looseObject(COLLECTED);
export const EXPORT_JOB = v.looseObject({ ...COLLECTED, format: v.string() });

/** Describes the records that an export collects. Additional keys, such as `offset`, may limit the records further. */
export type CollectSpec = Content<typeof COLLECT_SPEC>;
export type ExportJob = Content<typeof EXPORT_JOB>;

export function createExportJob(
  { deployment, kind, query, ...selection }: CollectSpec,
  { dialect, format, columns, multi, excel, flat, sqlNames, plainText, singleLine }: ResolvedFormatOptions,
  split = 0,
): ExportJob {
  return {
    deployment,
    kind,
    query,
    format,
    flat: flat ?? false,
    ...(FORMATS[format].takesColumns && { columns: columns ?? 'found', ...(sqlNames && { sqlNames }) }),
    ...(dialect && { multi: multi ?? 'join', excel: excel ?? false }),
    ...(plainText && { plainText }),
    ...(singleLine && { singleLine }),
    split,
    ...selection,
  };
}
