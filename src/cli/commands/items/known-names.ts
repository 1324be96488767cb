/** Gets items by name, such as facets. The error for an unknown name lists the known names. */
import { type EndpointId, getEndpoint } from '../../../service/endpoints/catalogue.js';
import { OpacError } from '../../../service/errors.js';
import type { Json, JsonObject } from '../../../service/json.js';
import type { QueryParameters } from '../../../service/search/record-search.js';
import { createNameHint } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import type { ItemsResult } from '../../description/result.js';
import { type ItemList, listItems } from './list-items.js';
import { getAndKeepBytes, readItem } from './read-list.js';

export interface NamedItem {
  /** For the error message: `facet of objects`. */
  readonly description: string;
  readonly name: string;
  readonly listKnownNames: () => Promise<readonly string[]>;
}

export interface NamedRequest extends NamedItem {
  readonly endpointId: EndpointId;
  readonly path: Readonly<Record<string, string>>;
  readonly query?: QueryParameters;
}

export class UnknownNameError extends OpacError {}

/** After a 404, throws an UnknownNameError with the known names, or an OpacError for the missing record or endpoint. */
export async function getNamed(
  context: Context,
  { endpointId, path, query, ...named }: NamedRequest,
): Promise<JsonObject> {
  const client = await context.client();
  try {
    return readItem(
      await getAndKeepBytes(client, endpointId, { path, query, signal: context.signal }),
      endpointId,
    );
  } catch (error) {
    throw isNotFound(error) ? await createNotFoundError(error, endpointId, named) : error;
  }
}

/** Lists items such as the authority terms of a field. Reading the pages throws the errors of `getNamed`. */
export function listNamed(context: Context, list: ItemList, named: NamedItem): ItemsResult {
  const items = listItems(context, list);
  async function* pages(): AsyncGenerator<readonly Json[]> {
    try {
      yield* items.pages;
    } catch (error) {
      throw isNotFound(error) ? await createNotFoundError(error, list.endpointId, named) : error;
    }
  }
  return { ...items, pages: pages() };
}

/** A 404 with a web page instead of JSON has the kind `deployment`, but it also means that the path does not exist. */
function isNotFound(error: unknown): error is OpacError {
  return (
    error instanceof OpacError && (error.kind === 'not-found' || ('status' in error && error.status === 404))
  );
}

async function createNotFoundError(
  cause: OpacError,
  endpointId: EndpointId,
  { description, name, listKnownNames }: NamedItem,
): Promise<OpacError> {
  const { origin } = getEndpoint(endpointId);
  let names: readonly string[] = [];
  try {
    names = await listKnownNames();
  } catch (error) {
    // For example, the record of `relationships get objects <id> <relationshipId>` does not exist.
    if (error instanceof OpacError && error.kind === 'not-found') return error;
  }
  if (names.includes(name) || (origin === 'likely' && names.length === 0))
    return createMissingEndpointError(endpointId, cause);
  return new UnknownNameError('not-found', `unknown ${description} "${name}"`, {
    hint: createNameHint(name, names),
    cause,
  });
}

export function createMissingEndpointError(endpointId: EndpointId, cause: OpacError): OpacError {
  const { path, origin } = getEndpoint(endpointId);
  return new OpacError('not-found', `not found: the deployment has no ${path}, or no item with that name`, {
    hint: origin === 'documented' ? undefined : 'the API documentation does not list this endpoint',
    cause,
  });
}
