/** What is known by name: a facet, view, field, relationship. When the service does not have it, the error lists what there is. */
import { type EndpointId, getEndpoint } from '../../../service/endpoints/catalogue.js';
import { OpacError } from '../../../service/errors.js';
import type { Json, JsonObject } from '../../../service/json.js';
import type { QueryParameters } from '../../../service/search/record-search.js';
import { didYouMean } from '../../../service/suggest-name.js';
import type { Context } from '../../context.js';
import type { ItemsResult } from '../../description/result.js';
import { type ItemList, listItems } from './list-items.js';
import { getKept, readItem } from './read-list.js';

export interface NamedItem {
  /** For the message: `facet of objects`. */
  readonly description: string;
  readonly name: string;
  readonly listKnownNames: () => Promise<readonly string[]>;
}

export interface NamedRequest extends NamedItem {
  readonly endpointId: EndpointId;
  readonly path: Readonly<Record<string, string>>;
  readonly query?: QueryParameters;
}

/**
 * Gets one named thing. Throws an OpacError of kind `not-found` that lists the known names, or says that the deployment
 * does not offer an endpoint that the document does not promise.
 */
export async function getNamed(
  context: Context,
  { endpointId, path, query, ...named }: NamedRequest,
): Promise<JsonObject> {
  const client = await context.client();
  try {
    return readItem(await getKept(client, endpointId, { path, query, signal: context.signal }), endpointId);
  } catch (error) {
    throw await explainNotFound(error, endpointId, named);
  }
}

/** `listItems` of something named: a 404 throws as `getNamed` does. */
export function listNamed(context: Context, list: ItemList, named: NamedItem): ItemsResult {
  const items = listItems(context, list);
  async function* pages(): AsyncGenerator<readonly Json[]> {
    try {
      yield* items.pages;
    } catch (error) {
      throw await explainNotFound(error, list.endpointId, named);
    }
  }
  return { ...items, pages: pages() };
}

async function explainNotFound(error: unknown, endpointId: EndpointId, named: NamedItem): Promise<unknown> {
  return isNotFound(error) ? missingError(error, endpointId, named) : error;
}

/** True also for a 404 that is a web page, because the path itself is unknown there. */
function isNotFound(error: unknown): error is OpacError {
  return (
    error instanceof OpacError && (error.kind === 'not-found' || ('status' in error && error.status === 404))
  );
}

async function missingError(
  cause: OpacError,
  endpointId: EndpointId,
  { description, name, listKnownNames }: NamedItem,
): Promise<OpacError> {
  const { origin } = getEndpoint(endpointId);
  let names: readonly string[] = [];
  try {
    names = await listKnownNames();
  } catch (error) {
    // The record or kind that the name belongs to is missing itself.
    if (error instanceof OpacError && error.kind === 'not-found') return error;
  }
  if (names.includes(name) || (origin === 'likely' && names.length === 0)) {
    return notOffered(endpointId, cause);
  }
  return new OpacError('not-found', `there is no ${description} "${name}"`, {
    hint: didYouMean(name, names),
    cause,
  });
}

/** The error for an endpoint that the deployment does not have. */
export function notOffered(endpointId: EndpointId, cause: OpacError): OpacError {
  const { path, origin } = getEndpoint(endpointId);
  return new OpacError('not-found', `this deployment does not offer ${path}`, {
    hint: origin === 'documented' ? undefined : 'the API documentation does not list this endpoint',
    cause,
  });
}
