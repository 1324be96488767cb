/** How items become rows and cards. */
import type { Json } from '../../service/json.js';
import type { Terminal } from '../output/terminal/terminal.js';

export interface ItemColumn {
  readonly name: string;
  /** What stands over it in place of the name. */
  readonly header?: string;
  readonly align?: 'right';
  /** Never cut in a table: people copy it. */
  readonly isNeverCut?: true;
  /** How much of a narrow table it gets, against 1 for others. */
  readonly weight?: number;
  readonly values: (item: Json) => readonly string[];
  /** What json has under its name; the values unless told. */
  readonly json?: (item: Json) => Json;
}

export interface ItemSchema {
  readonly id: (item: Json) => string;
  /** The column of that name. Throws a UsageError for a name that cannot be one. */
  readonly column: (name: string) => ItemColumn;
  /** The `names` that neither these items nor `known` have. */
  readonly unknownColumns: (
    names: readonly string[],
    items: readonly Json[],
    known: readonly string[],
  ) => readonly string[];
  /** Every column of these items, for programs; `all` with attributes. */
  readonly getAllColumns: (items: readonly Json[], all: boolean) => readonly ItemColumn[];
  readonly getDefaultColumns: (items: readonly Json[]) => readonly ItemColumn[];
  readonly flat: (item: Json) => unknown;
  readonly card: (item: Json, terminal: Terminal) => Promise<string>;
}
