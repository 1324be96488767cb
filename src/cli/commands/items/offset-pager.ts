/** Pages through lists that possibly do not support paging. Reports why items may be missing. */
import { isDeepOffsetRefusal } from '../../../client/paging/page-interpreter.js';
import type { ListResponse } from '../../../client/paging/read-list.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import { asObject, type Json } from '../../../service/json.js';

export interface OffsetPages {
  /** If `limit` is undefined, the service chooses the page size. */
  readonly fetchPage: (offset: number, limit: number | undefined) => Promise<ListResponse>;
  readonly limit?: number | undefined;
  /** The key whose value identifies an item. Undefined if a list may contain the same item twice. */
  readonly uniqueKey?: string | undefined;
  /** Limits the number of requests, because a service might send new items forever. */
  readonly maxPages?: number;
  /** Limits the memory, because the texts of all items stay in memory. */
  readonly maxCharacters?: number;
}

const MAX_PAGES = 10_000;
const MAX_LIST_CHARACTERS = 128 * 1024 * 1024;
/** Added to the number of characters of each item, because an empty item also takes memory. */
const ITEM_COST = 100;

export class OffsetPager {
  readonly #options: OffsetPages;
  readonly #limit: number;
  /** The items so far, as JSON. */
  readonly #seen = new Set<string>();
  #first: ListResponse | undefined;
  #size = 0;
  #received = 0;
  #repeated = 0;
  /** The largest total of all pages, because the total of some services counts only the items of a page. */
  total: number | undefined;
  /** Set after the last page, if items may be missing. */
  failure: OpacError | undefined;

  constructor(options: OffsetPages) {
    this.#options = options;
    this.#limit = options.limit ?? Number.POSITIVE_INFINITY;
  }

  /** Throws the errors of the first page, and errors of later pages that cannot mean the end of the list. */
  async *pages(): AsyncGenerator<readonly Json[]> {
    const { maxPages = MAX_PAGES, maxCharacters = MAX_LIST_CHARACTERS } = this.#options;
    let offset = 0;
    for (let pages = 0; this.#received < this.#limit; pages++) {
      if (pages === maxPages) {
        this.failure = this.#incomplete(`the list did not end after ${formatNumber(pages)} pages`);
        return;
      }
      const page = await this.#fetch(offset);
      if (!page) return;
      const items = this.#newItems(page.records).slice(0, this.#limit - this.#received);
      if (items.length === 0) {
        this.failure = await this.#failureAtEnd(pages === 1 && page.records.length > 0);
        return;
      }
      if (this.#size > maxCharacters) {
        this.failure = this.#incomplete(`the list is larger than ${maxCharacters >> 20} MB`);
        return;
      }
      this.#first ??= page;
      this.#received += items.length;
      offset += page.records.length;
      yield items;
    }
    if (this.total === undefined) this.failure = this.#failureOfRepeats();
  }

  /** Returns undefined if the service rejects the page. Sets `failure` if the list may have more items. */
  async #fetch(offset: number): Promise<ListResponse | undefined> {
    const { fetchPage, limit } = this.#options;
    const wanted = limit === undefined ? undefined : limit - this.#received;
    try {
      const page = await fetchPage(offset, wanted);
      // The totals of pages after the end of a list are not reliable (FIELD-NOTES.md "Requests").
      if (page.total !== undefined && (!this.#first || page.records.length > 0))
        this.total = Math.max(page.total, this.total ?? 0);
      if (page.records.length > 0 || this.#isTotalReached) return page;
      // The page may be empty by mistake, so opac requests it again.
      return await fetchPage(offset, wanted);
    } catch (error) {
      if (!this.#first || !isEndError(error)) throw error;
      if (this.#isTotalReached) return undefined;
      if (error.kind === 'deployment' && !isDeepOffsetRefusal(error)) throw error;
      this.failure = this.#incomplete(`the service rejects pages after item ${formatNumber(offset)}`, error);
      return undefined;
    }
  }

  get #isTotalReached(): boolean {
    return this.#received === this.total;
  }

  /**
   * Omits items that an earlier page contained. Exception: if the page also has new items, keeps such items without an id,
   * because
   * different items may be equal, but not more items than the total.
   */
  #newItems(records: readonly Json[]): readonly Json[] {
    const { uniqueKey } = this.#options;
    const texts = records.map((record) => JSON.stringify(record));
    const isRepeated = texts.map((text) => this.#seen.has(text));
    for (const text of texts) {
      this.#seen.add(text);
      this.#size += text.length + ITEM_COST;
    }
    if (!isRepeated.includes(false)) return [];
    this.#repeated += isRepeated.filter(Boolean).length;
    const isTooLong = this.#received + records.length > (this.total ?? Number.POSITIVE_INFINITY);
    return records.filter((record, n) => {
      const hasId = uniqueKey !== undefined && asObject(record)[uniqueKey] !== undefined;
      return !(isRepeated[n] && (hasId || isTooLong));
    });
  }

  /** `isFirstAgain`: the second page contained only items of the first page. */
  async #failureAtEnd(isFirstAgain: boolean): Promise<OpacError | undefined> {
    if (this.#isTotalReached) return undefined;
    const isShort = this.#received < (this.total ?? 0);
    if (isFirstAgain && (isShort || !(await this.#isComplete())))
      return this.#incomplete('the service ignores offset');
    if (isShort) return this.#incomplete('the service returned no more items');
    return this.#failureOfRepeats();
  }

  #failureOfRepeats(): OpacError | undefined {
    if (this.#repeated === 0) return undefined;
    return this.#incomplete(`the service repeated ${formatCount(this.#repeated, 'item')} on other pages`);
  }

  /**
   * Returns true if the first page probably contains all items. Requests one item at offset 1. If the service returns several
   * items, it ignores `limit`, so the first page was complete. If it returns another item than the first, it supports the offset,
   * so the list has ended. Otherwise, items may be missing.
   */
  async #isComplete(): Promise<boolean> {
    const [first, ...others] = this.#first?.records ?? [];
    if (others.length === 0) return true;
    const { records } = await this.#options.fetchPage(1, 1);
    const [second = first] = records;
    return records.length > 1 || JSON.stringify(second) !== JSON.stringify(first);
  }

  #incomplete(why: string, cause?: OpacError): OpacError {
    const received = formatNumber(this.#received);
    const what =
      this.total !== undefined && this.total > this.#received
        ? `${received} of ${formatNumber(this.total)} items were received`
        : `received ${formatCount(this.#received, 'item')}; the list may contain more`;
    return new OpacError('incomplete', `${what}: ${why}`, { cause });
  }
}

/** Returns true for the kinds of errors that services may send after the end of a list. */
function isEndError(error: unknown): error is OpacError {
  return error instanceof OpacError && /^(usage|not-found|deployment)$/.test(error.kind);
}
