/** Reads the pages of a list, for scripts. Missing records are an error, so that scripts notice them. */
import type { Client, RequestOptions } from '../client/client.js';
import { findIncompleteError } from '../client/paging/incomplete-error.js';
import type { ListedRecord } from '../client/paging/pages.js';
import { paginateEndpoint as paginate } from '../client/paging/pages.js';
import type { Paging } from '../client/paging/paginate.js';
import type { PagingOptions } from '../client/paging/paging-options.js';
import type { ListEndpointId } from '../service/endpoints/catalogue.js';

/**
 * Returns the pages, which can be read only once. Throws a UsageError for invalid options. Reading the pages throws the errors of
 * requests and the reason of the signal. After the last page, it throws an OpacError of kind `incomplete` if records may be
 * missing.
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
