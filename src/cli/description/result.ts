/** What a command gives back to be shown, in the format asked for. */
import type { OpacError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import type { Format } from '../options/global.js';
import type { TableInput } from '../options/table.js';
import type { Terminal } from '../output/terminal/terminal.js';
import type { ItemSchema } from './item-schema.js';

export type CommandResult = ItemsResult | ValueResult | RawResult;

/** Items of one sort, page by page, as the service gave them. */
export interface ItemsResult {
  readonly kind: 'items';
  readonly pages: AsyncIterable<readonly Json[]>;
  readonly schema: ItemSchema;
  /** How many the service has, as far as it has said so by now. */
  readonly total?: () => number | undefined;
  /** Printed on standard error when there are no items: `no records match`. */
  readonly emptyMessage: string;
  /** How to get the rest, when not all were asked for: `use --all or export`. */
  readonly moreHint?: string;
  /** The rows of an item that holds a list: tables, csv, tsv and ids show the rows, json the item. */
  readonly rows?: (item: Json) => readonly Json[];
  readonly render?: (items: readonly Json[], terminal: Terminal) => string | Promise<string>;
  /** The items were asked for by id: a terminal shows cards. */
  readonly isById?: true;
  /** json is the one item itself, not a list of it. */
  readonly isSingle?: boolean;
  /** Field identifiers that the deployment publishes, to check `--columns` against. */
  readonly fields?: () => Promise<readonly string[]>;
  /** Heads and texts, where they are not the service's own. */
  readonly table?: TableInput;
  /** The format when none is asked for, on a terminal too. */
  readonly format?: Format;
  /** Looks for what may help whoever got too little, and says it; runs when all items are written. Never throws. */
  readonly printHint?: (written: number) => Promise<void>;
  /** What went wrong with a part of the items; read when all are written. */
  readonly failure?: () => OpacError | undefined;
}

export interface ValueResult {
  readonly kind: 'value';
  /** Without a line break at the end. */
  readonly text: string;
  readonly json: Json;
  readonly row?: Readonly<Record<string, string>>;
  /** A pipe gets the row as tsv in place of the text, as it does of a list. */
  readonly isRowInPipe?: true;
  /** Spaces by which json indents each level; one line unless told. */
  readonly indent?: number;
  readonly printHint?: () => Promise<void>;
  readonly failure?: () => OpacError | undefined;
}

export interface RawResult {
  readonly kind: 'raw';
  readonly bytes: Buffer;
}

export async function* toSinglePage(items: readonly Json[]): AsyncGenerator<readonly Json[]> {
  yield items;
}

export async function collectItems(pages: AsyncIterable<readonly Json[]>): Promise<Json[]> {
  const items: Json[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}
