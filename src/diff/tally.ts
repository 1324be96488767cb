/** The differences between two snapshots, and their counts by kind and by field. */
import type { Kind } from '../service/kinds.js';
import type { FieldLabels } from '../service/search/field-labels.js';
import type { ChangeKind, FieldChange } from './changes.js';
import type { SnapshotRecord } from './snapshot-record.js';

export interface Difference {
  readonly kind: Kind;
  readonly id: string;
  readonly title: string;
  readonly accessionNumber?: string | undefined;
  readonly change: 'added' | 'removed' | 'changed';
  /** For a removed record that opac looked up: `missed` if the deployment still has it, otherwise `withdrawn`. */
  readonly asked?: 'withdrawn' | 'missed' | undefined;
  readonly changes: readonly FieldChange[];
  readonly context: Readonly<Record<string, readonly string[]>>;
  readonly newer: SnapshotRecord | undefined;
}

/** The numbers of records and of differences of one kind. */
export interface KindTally {
  /** The number of records in each snapshot. */
  older: number;
  newer: number;
  added: number;
  removed: number;
  changed: number;
  /** The number of removed records that the deployment still has. */
  missed: number;
}

export type FieldTally = Record<ChangeKind, number>;

export class Tally {
  /** Whether `older` and `newer` of each KindTally are known. A change log does not contain these numbers. */
  readonly hasTotals: boolean;
  readonly kinds = new Map<Kind, KindTally>();
  /** The counts by field, without the ids of images and related records: `image.caption`, `relationship.maker`. */
  readonly fields = new Map<string, FieldTally>();

  readonly #labels: FieldLabels | undefined;

  constructor(hasTotals = true, labels?: FieldLabels) {
    this.hasTotals = hasTotals;
    this.#labels = labels;
  }

  add({ kind, change, changes, asked }: Difference): void {
    const counts = this.getOrAdd(kind);
    counts[change]++;
    if (asked === 'missed') counts.missed++;
    for (const each of changes) {
      const group = getFieldGroup(each.field);
      const name = this.#labels?.format(group) ?? group;
      const field = this.fields.get(name) ?? { added: 0, removed: 0, changed: 0, moved: 0 };
      field[each.change]++;
      this.fields.set(name, field);
    }
  }

  getOrAdd(kind: Kind): KindTally {
    const none = { older: 0, newer: 0, added: 0, removed: 0, changed: 0, missed: 0 };
    const counts = this.kinds.get(kind) ?? none;
    this.kinds.set(kind, counts);
    return counts;
  }

  get countDifferences(): number {
    let sum = 0;
    for (const { added, removed, changed } of this.kinds.values()) sum += added + removed + changed;
    return sum;
  }
}

/** Returns `image.caption` for `image.700010.caption`, and `relationship.maker` for `relationship.maker.77`. */
function getFieldGroup(field: string): string {
  const [, image, imagePart = ''] = /^(image)\.[^.@]+(?:\.(?![A-Z]+\.)|(?=[@.]))?(.*)/s.exec(field) ?? [];
  if (image) return imagePart === '' ? image : `image${/^[@.]/.test(imagePart) ? '' : '.'}${imagePart}`;
  const [, relationship, part = ''] = /^(relationship\.[^.]*)\.[^.@]+((?:[.@].*)?)$/s.exec(field) ?? [];
  return relationship ? `${relationship}${part}` : field;
}
