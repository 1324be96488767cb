/** Pages through the lists for which INTERFACE.md states no paging: every item, or the error that says what is missing. */

import { isDeepOffsetRefusal } from '../../../client/paging/page-interpreter.js';
import type { ListResponse } from '../../../client/paging/read-list.js';
import { OpacError } from '../../../service/errors.js';
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import { asObject, type Json } from '../../../service/json.js';

export interface OffsetPages {
  /** Requests a page. A `limit` of undefined leaves its size to the service. */
  readonly fetchPage: (offset: number, limit: number | undefined) => Promise<ListResponse>;
  readonly limit?: number | undefined;
  /** The key that identifies an item. Undefined where a list may hold the same item twice. */
  readonly uniqueKey?: string | undefined;
  /** Stops a service that sends new items without end. */
  readonly maxPages?: number;
}

const MAX_PAGES = 10_000;

export class OffsetPager {
  readonly #options: OffsetPages;
  readonly #limit: number;
  /** The items of the pages so far, as JSON. */
  readonly #seen = new Set<string>();
  #first: ListResponse | undefined;
  #received = 0;
  #repeated = 0;
  #total: number | undefined;
  #failure: OpacError | undefined;

  constructor(options: OffsetPages) {
    this.#options = options;
    this.#limit = options.limit ?? Number.POSITIVE_INFINITY;
  }

  /** The largest total that came with items: some services count only the items of each page. */
  get total(): number | undefined {
    return this.#total;
  }

  /** Why the items are not all that were asked for. Final after the last page. */
  get failure(): OpacError | undefined {
    return this.#failure;
  }

  /** Yields pages until one has no new items or the limit is reached. Throws when the first page or a connection fails. */
  async *pages(): AsyncGenerator<readonly Json[]> {
    const { maxPages = MAX_PAGES } = this.#options;
    let offset = 0;
    for (let pages = 0; this.#received < this.#limit; pages++) {
      if (pages === maxPages) {
        this.#failure = this.#incomplete(`the list did not end after ${formatNumber(pages)} pages`);
        return;
      }
      const page = await this.#fetch(offset);
      if (!page) return;
      const items = this.#newItems(page.records).slice(0, this.#limit - this.#received);
      if (items.length === 0) {
        this.#failure = await this.#failureAtEnd(pages === 1 && page.records.length > 0);
        return;
      }
      this.#first ??= page;
      this.#received += items.length;
      offset += page.records.length;
      yield items;
    }
    if (this.#total === undefined) this.#failure = this.#failureOfRepeats();
  }

  /** Undefined where the service refuses the page: the list ends there. */
  async #fetch(offset: number): Promise<ListResponse | undefined> {
    const { fetchPage, limit } = this.#options;
    const wanted = limit === undefined ? undefined : limit - this.#received;
    try {
      const page = await fetchPage(offset, wanted);
      // Totals past the end are not reliable (FIELD-NOTES.md "Requests").
      if (!this.#first || page.records.length > 0) this.#addTotal(page.total);
      if (page.records.length > 0 || this.#isTotalReached) return page;
      // The page may be empty by mistake.
      return await fetchPage(offset, wanted);
    } catch (error) {
      if (!this.#first || !isEndError(error)) throw error;
      if (this.#isTotalReached) return undefined;
      if (error.kind === 'deployment' && !isDeepOffsetRefusal(error)) throw error;
      this.#failure = this.#incomplete(`the service refuses pages past item ${formatNumber(offset)}`, error);
      return undefined;
    }
  }

  #addTotal(total: number | undefined): void {
    if (total !== undefined) this.#total = Math.max(total, this.#total ?? 0);
  }

  get #isTotalReached(): boolean {
    return this.#received === this.#total;
  }

  /**
   * An item of an earlier page is left out where it has an id, or where the total says that the page holds too many. Other
   * lists may hold an item twice.
   */
  #newItems(records: readonly Json[]): readonly Json[] {
    const { uniqueKey } = this.#options;
    const texts = records.map((record) => JSON.stringify(record));
    const isRepeated = texts.map((text) => this.#seen.has(text));
    for (const text of texts) this.#seen.add(text);
    if (!isRepeated.includes(false)) return [];
    this.#repeated += isRepeated.filter(Boolean).length;
    const isTooLong = this.#received + records.length > (this.#total ?? Number.POSITIVE_INFINITY);
    return records.filter((record, n) => {
      const hasId = uniqueKey !== undefined && asObject(record)[uniqueKey] !== undefined;
      return !(isRepeated[n] && (hasId || isTooLong));
    });
  }

  /** `isFirstAgain`: the second page was the first again. */
  async #failureAtEnd(isFirstAgain: boolean): Promise<OpacError | undefined> {
    if (this.#isTotalReached) return undefined;
    const isShort = this.#received < (this.#total ?? 0);
    if (isFirstAgain && (isShort || !(await this.#isWhole())))
      return this.#incomplete('the service ignores offset');
    if (isShort) return this.#incomplete('the service sends no more items');
    return this.#failureOfRepeats();
  }

  #failureOfRepeats(): OpacError | undefined {
    if (this.#repeated === 0) return undefined;
    return this.#incomplete(`the service repeats ${formatCount(this.#repeated, 'item')} on other pages`);
  }

  /**
   * Whether a service that gives its first page again at a later offset has no more. A request for the second item alone
   * tells: the service does not page at all, or it gives its last page at any offset past the end.
   */
  async #isWhole(): Promise<boolean> {
    const [first, ...others] = this.#first?.records ?? [];
    if (others.length === 0) return true;
    const { records } = await this.#options.fetchPage(1, 1);
    const [second = first] = records;
    return records.length > 1 || JSON.stringify(second) !== JSON.stringify(first);
  }

  #incomplete(why: string, cause?: OpacError): OpacError {
    const received = formatNumber(this.#received);
    const what =
      this.#total !== undefined && this.#total > this.#received
        ? `${received} of ${formatNumber(this.#total)} items were received`
        : `received ${formatCount(this.#received, 'item')}, which may not be all`;
    return new OpacError('incomplete', `${what}: ${why}`, { cause });
  }
}

/** Whether a service may respond so because the list has ended. */
function isEndError(error: unknown): error is OpacError {
  return error instanceof OpacError && /^(usage|not-found|deployment)$/.test(error.kind);
}
