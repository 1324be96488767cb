/** What a command gives back: items page by page with the way to read them, or a short answer of its own. */
import type { OpacError } from '../../service/errors.js';
import type { Json } from '../../service/json.js';
import type { Format } from '../options/global.js';
import type { Terminal } from '../output/terminal/terminal.js';
import type { ItemSchema } from './item-schema.js';

/** Items of one sort, as the service gave them. */
export interface ItemsResult {
  /** In the order of the service. */
  readonly pages: AsyncIterable<readonly Json[]>;
  readonly schema: ItemSchema;
  /** How many there are in all, as far as the service has said so by now. */
  readonly total?: () => number | undefined;
  /** Said on standard error when there is none: `no records match`. */
  readonly nothing: string;
  /** How to get the rest, when not all were asked for: `use --all or export`. */
  readonly more?: string;
  /** The rows of an item, where it holds a list of its own: tables, csv, tsv and ids show these, json the item. */
  readonly rows?: (item: Json) => readonly Json[];
  /** What people see on a terminal in place of a table. */
  readonly picture?: (items: readonly Json[], terminal: Terminal) => string | Promise<string>;
  /** True for what was asked for by id: a terminal shows cards. */
  readonly byId?: true;
  /** Field identifiers that the deployment publishes, to check `--columns` against. */
  readonly fields?: () => Promise<readonly string[]>;
  /** The format when none is asked for, on a terminal too. */
  readonly format?: Format;
  /** What a pipe gets of an item in place of tsv, where a row would only be in the way. */
  readonly plain?: (item: Json) => string;
  /** What went wrong with a part of it; looked at when all items are out. */
  readonly failure?: () => OpacError | undefined;
}

/** A short answer: a count, a token, a status. */
export interface ValueResult {
  /** As people and pipes get it, without a line end. */
  readonly text: string;
  /** As json and ndjson get it. */
  readonly json: Json;
  /** Spaces a level of json is indented by; one line unless told. */
  readonly indent?: number;
  readonly failure?: () => OpacError | undefined;
}

/** An answer of the service as it came. */
export interface RawResult {
  readonly bytes: Buffer;
}

export type CommandResult = ItemsResult | ValueResult | RawResult;

export function isRawResult(listing: CommandResult): listing is RawResult {
  return 'bytes' in listing;
}

export function isValueResult(listing: CommandResult): listing is ValueResult {
  return 'text' in listing;
}

/** Pages made from items that are all there. */
export async function* onePage(items: readonly Json[]): AsyncGenerator<readonly Json[]> {
  yield items;
}
