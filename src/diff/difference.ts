/** What a comparison found of one record. */
import type { Kind } from '../service/kinds.js';
import type { Change } from './changes.js';
import type { SnapshotRecord } from './snapshot-record.js';

export interface Difference {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** For a removed record that was asked for by its id: whether the deployment has it still. */
  readonly asked?: 'withdrawn' | 'missed';
  readonly changes: readonly Change[];
  /** The values of other columns. */
  readonly context: Readonly<Record<string, readonly string[]>>;
  readonly older: SnapshotRecord | undefined;
  readonly newer: SnapshotRecord | undefined;
}
