/** What is exported, kept in checkpoints and manifests. */
import type { Json } from '../service/json.js';
import { listOf, members, pair, text } from '../system/shape.js';

/** What is collected: whatever decides the records, and nothing of how they are converted. */
export interface CollectSpec {
  /** Base URL without credentials. */
  readonly deployment: string;
  readonly kind: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly [more: string]: Json | undefined;
}

/** The same, and how the records are converted. */
export interface ExportSpec extends CollectSpec {
  readonly format: string;
}

const COLLECTED = { deployment: text, kind: text, query: listOf(pair(text, text)) };

export const COLLECT_SPEC = members(COLLECTED);
export const EXPORT_SPEC = members({ ...COLLECTED, format: text });
