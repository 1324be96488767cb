/** What is exported, kept in checkpoints and manifests. */

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
export const isExportJob = v.looseObject({ ...COLLECTED, format: v.string() });

/** What is collected: whatever decides the records, and nothing of how they are converted. */
export type CollectSpec = Content<typeof COLLECT_SPEC>;
/** The same, and how the records are converted. */
export type ExportJob = Content<typeof isExportJob>;

export function exportSpecOf(
  { deployment, kind, query, ...extra }: CollectSpec,
  { dialect, format, columns, multi, excel, flat, sqlNames, plainText }: ResolvedFormatOptions,
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
    split,
    ...extra,
  };
}
