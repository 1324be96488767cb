/** What decides the bytes of an export, kept in its checkpoint and manifest. */
import type { Json } from '../../service/json.js';
import { listOf, members, pair, text } from '../files/shape.js';

export interface ExportSpec {
  /** Base URL without credentials. */
  readonly deployment: string;
  readonly kind: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly format: string;
  readonly [more: string]: Json | undefined;
}

export const EXPORT_SPEC = members({
  deployment: text,
  kind: text,
  query: listOf(pair(text, text)),
  format: text,
});
