/** What an export was asked for, as far as it decides the bytes of the file: in the checkpoint and in the manifest. */
import type { Json } from '../../service/json.js';

export interface ExportSpec {
  /** Base URL of the deployment, without credentials. */
  readonly deployment: string;
  readonly kind: string;
  /** Query parameters in the order they are sent, without those of paging. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** `csv`, `ndjson` … and what else decides how the file looks. */
  readonly format: string;
  readonly [more: string]: Json | undefined;
}
