/** Counts what a comparison found, by kind and by field. */
import type { Kind } from '../service/kinds.js';
import type { ChangeKind } from './changes.js';
import type { Difference } from './difference.js';

export interface KindTally {
  /** Records of the two snapshots. */
  older: number;
  newer: number;
  added: number;
  removed: number;
  changed: number;
  /** Of the removed ones, those that the deployment still has. */
  missed: number;
}

export type FieldTally = Record<ChangeKind, number>;

export class Tally {
  readonly kinds = new Map<Kind, KindTally>();
  /** Images and related records are counted together: `image`, `image.caption`, `relationship.maker`. */
  readonly fields = new Map<string, FieldTally>();

  add({ kind, change, changes, asked }: Difference): void {
    const counts = this.of(kind);
    counts[change]++;
    if (asked === 'missed') counts.missed++;
    for (const each of changes) {
      const name = fieldGroup(each.field);
      const field = this.fields.get(name) ?? { added: 0, removed: 0, changed: 0, moved: 0 };
      field[each.change]++;
      this.fields.set(name, field);
    }
  }

  of(kind: Kind): KindTally {
    const counts = this.kinds.get(kind) ?? {
      older: 0,
      newer: 0,
      added: 0,
      removed: 0,
      changed: 0,
      missed: 0,
    };
    this.kinds.set(kind, counts);
    return counts;
  }
}

/** Records that differ, of all kinds. */
export function differing({ kinds }: Pick<Tally, 'kinds'>): number {
  return [...kinds.values()].reduce((sum, { added, removed, changed }) => sum + added + removed + changed, 0);
}

/** `image.700010.caption` as `image.caption`, `relationship.maker.77` as `relationship.maker`. */
export function fieldGroup(field: string): string {
  const [, image, imagePart = ''] = /^(image)\.[^.@]+(?:\.(?![A-Z]+\.)|(?=[@.]))?(.*)/s.exec(field) ?? [];
  if (image) return imagePart === '' ? image : `image${/^[@.]/.test(imagePart) ? '' : '.'}${imagePart}`;
  const [, relationship, part = ''] = /^(relationship\.[^.]*)\.[^.@]+((?:[.@].*)?)$/s.exec(field) ?? [];
  return relationship ? `${relationship}${part}` : field;
}
