/** The list in a response of the service, or the error that there is none. */
import { type ListResponse, type ListShape, readList } from '../../../client/paging/list.js';
import { endpoint } from '../../../service/catalogue.js';
import { OpacError } from '../../../service/errors.js';

/** The items and the total of a response of an endpoint of the catalogue. Throws an OpacError of kind `deployment`. */
export function listOf(value: unknown, endpointId: string, offset = 0): ListResponse {
  const { method, path, response } = endpoint(endpointId);
  const list = readList(value, response as ListShape, offset);
  if (list) return list;
  throw new OpacError('deployment', `the response to ${method} ${path} is JSON without a list`, {
    hint: 'is this the right base URL?',
  });
}
