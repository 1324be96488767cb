/** Pages through a list for programs, which must not lose records without an error. */
import type { Client, RequestOptions } from '../client/client.js';
import { findIncompleteError } from '../client/paging/incomplete-error.js';
import type { ListedRecord } from '../client/paging/pages.js';
import { paginateEndpoint as paginate } from '../client/paging/pages.js';
import type { Paging } from '../client/paging/paginate.js';
import type { PagingOptions } from '../client/paging/paging-options.js';
import type { ListEndpointId } from '../service/endpoints/catalogue.js';

/**
 * Returns the pages, which can be read once. Reading throws if a page fails or the signal is aborted, and after the last page
 * an OpacError of kind `incomplete` if records are missing. Throws a UsageError for invalid options.
 */
export function paginateEndpoint(
  client: Client,
  endpointId: ListEndpointId,
  requestOptions?: RequestOptions,
  options: PagingOptions = {},
): Paging<ListedRecord> {
  const paging = paginate(client, endpointId, requestOptions, options);
  async function* readPages() {
    yield* paging;
    const error = findIncompleteError(paging.report);
    if (error) throw error;
  }
  const pages = readPages();
  return { report: paging.report, [Symbol.asyncIterator]: () => pages };
}
