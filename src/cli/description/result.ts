/** The results of commands, before they are written in a format. */
import type { OpacError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import type { PublishedField } from '../../service/records/field-use.js';
import type { Format } from '../options/global.js';
import type { TableInput } from '../options/table.js';
import type { Terminal } from '../output/terminal/terminal.js';
import type { ItemSchema } from './item-schema.js';

export type DocumentFormat = 'html' | 'svg';
export type RenderDocument = (items: readonly Json[]) => Promise<string>;

export type CommandResult = ItemsResult | ValueResult | RawResult;

/** Items of one type, page by page, in the JSON of the service. */
export interface ItemsResult {
  readonly kind: 'items';
  readonly pages: AsyncIterable<readonly Json[]>;
  readonly schema: ItemSchema;
  /** The number of all matching items; undefined while it is unknown. */
  readonly total?: () => number | undefined;
  /** Note for a result without items: `no records match`. */
  readonly emptyMessage: string;
  /** How to get all items: `use --all or export`. */
  readonly moreHint?: string;
  /**
   * Returns the rows of an item that contains a list. Cards, `render` and `documents` show the item itself, and so do json and
   * ndjson without `--columns`.
   */
  readonly rows?: (item: Json) => readonly Json[];
  readonly render?: (items: readonly Json[], terminal: Terminal) => string | Promise<string>;
  /** Renders all items as a page (`-o x.html`) or a picture (`-o x.svg`). */
  readonly documents?: Readonly<Partial<Record<DocumentFormat, RenderDocument>>>;
  /** The items were requested by id, so a terminal shows cards. */
  readonly isById?: true;
  /** json is the item itself, not a list with one item. */
  readonly isSingle?: boolean;
  /** Published fields, for labels and to check `--columns`. */
  readonly fields?: () => Promise<readonly PublishedField[]>;
  readonly table?: TableInput;
  /** The default format, also on a terminal. */
  readonly format?: Format;
  /** Prints why a search may have found too few records. Called after all items are written. Never throws. */
  readonly printHint?: (written: number) => Promise<void>;
  /** Returns an error if some items failed. Called after all items are written. */
  readonly failure?: () => OpacError | undefined;
}

export interface ValueResult {
  readonly kind: 'value';
  /** Without a line break at the end. */
  readonly text: string;
  readonly json: Json;
  readonly row?: Readonly<Record<string, string>>;
  /** A pipe or a file gets the row as tsv instead of the text. */
  readonly isRowInPipe?: true;
  /** Number of spaces per level in json. Default: json in one line. */
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
  for await (const page of pages) for (const item of page) items.push(item);
  return items;
}
