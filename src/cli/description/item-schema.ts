/** Describes how opac writes items as rows and cards. */
import type { Json } from '../../service/json.js';
import type { FieldLabels } from '../../service/search/field-labels.js';
import type { Terminal } from '../output/terminal/terminal.js';

export interface ItemColumn {
  readonly name: string;
  /** Default: the name. */
  readonly header?: string;
  readonly align?: 'right';
  /** Tables do not cut the values, because users copy them. */
  readonly isNeverCut?: true;
  /** Relative width of the column in a narrow table. Default: 1. */
  readonly weight?: number;
  readonly values: (item: Json) => readonly string[];
  /** The value in JSON. Default: the list of values. */
  readonly json?: (item: Json) => Json;
}

export interface ItemSchema {
  readonly id: (item: Json) => string;
  /** Throws a UsageError for an invalid name. */
  readonly column: (name: string) => ItemColumn;
  /** Returns the `names` that are neither in the items nor in `known`. */
  readonly unknownColumns: (
    names: readonly string[],
    items: readonly Json[],
    known: readonly string[],
  ) => readonly string[];
  /** The columns of machine-readable formats. With `all`, also attributes, and the ids and slugs of related records. */
  readonly getAllColumns: (items: readonly Json[], all: boolean) => readonly ItemColumn[];
  /** Image columns, which opac suggests for a misspelt name. */
  readonly listImageColumns?: (items: readonly Json[]) => readonly string[];
  readonly getDefaultColumns: (items: readonly Json[]) => readonly ItemColumn[];
  readonly flat: (item: Json) => unknown;
  readonly card: (item: Json, terminal: Terminal, labels?: FieldLabels) => Promise<string>;
}
