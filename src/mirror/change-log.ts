/** Writes the change log of a run: the differences between the old and the new snapshots. */
import { compareSnapshots } from '../diff/compare-snapshots.js';
import { serializeDifference } from '../diff/reports/report.js';
import { Snapshot } from '../diff/snapshot.js';
import type { Difference } from '../diff/tally.js';
import type { RecordKind } from '../service/kinds.js';
import { AppendFile } from '../system/append-file.js';
import { readMode } from '../system/replace-file.js';
import type { Counts } from './sync-options.js';

interface Comparison {
  readonly kind: RecordKind;
  readonly older: string;
  readonly newer: string;
  readonly temporary: string;
  /** The field of `--newest-first`, which every edit should change; undefined if opac does not check this. */
  readonly editField: string | undefined;
  readonly signal: AbortSignal;
}

export const NO_CHANGES: Counts = { added: 0, removed: 0, changed: 0, missed: 0 };

export class ChangeLog {
  readonly #path: string;
  #file: AppendFile | undefined;
  #mode: number | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  get isEmpty(): boolean {
    return this.#file === undefined;
  }

  async add({ older, newer, ...options }: Comparison): Promise<Counts> {
    return Snapshot.use(older, { ...options, mayBeEdited: true }, (before) =>
      Snapshot.use(newer, options, (after) => this.#compare(before, after, options)),
    );
  }

  async #compare(
    older: Snapshot,
    newer: Snapshot,
    { kind, editField, signal }: Pick<Comparison, 'kind' | 'editField' | 'signal'>,
  ): Promise<Counts> {
    const { differences, tally } = await compareSnapshots(older, newer, { signal });
    let missed = 0;
    // The log contains records, so it should not be readable by more users than the old snapshot.
    this.#mode ??= await readMode(older.path);
    for await (const difference of differences) {
      const isMissed = editField !== undefined && isMissedEdit(difference, editField);
      if (isMissed) missed++;
      await this.#write(difference, isMissed);
    }
    const { added = 0, removed = 0, changed = 0 } = tally.kinds.get(kind) ?? {};
    return { added, removed, changed, missed };
  }

  async sync(): Promise<void> {
    await this.#file?.sync();
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #write(difference: Difference, isMissed: boolean): Promise<void> {
    this.#file ??= await AppendFile.create(this.#path, { mode: this.#mode });
    const missed = isMissed ? ',"missed":true' : '';
    const record = difference.newer?.bytes;
    const start = `${serializeDifference(difference).slice(0, -1)}${missed}${record ? ',"record":' : ''}`;
    await this.#file.append(Buffer.concat([Buffer.from(start), record ?? Buffer.of(), Buffer.from('}\n')]));
  }
}

/** Whether an edit did not change the field, although the record has the field. An incremental run may miss this edit. */
function isMissedEdit({ change, changes, newer }: Difference, field: string): boolean {
  if (change !== 'changed' || changes.some((each) => each.field === field)) return false;
  return (newer?.values(field)?.length ?? 0) > 0;
}
