/** What the service does know, when it does not know a facet, view, field or relationship that was asked for. */
import type { Client } from '../../../client/client.js';
import { endpoint } from '../../../service/catalogue.js';
import { OpacError } from '../../../service/errors.js';
import { didYouMean } from '../../../service/nearest.js';

export interface Named {
  /** What it is called in the message: `facet of objects`. */
  readonly what: string;
  readonly name: string;
  /** Lists the names there are. */
  readonly known: () => Promise<readonly string[]>;
}

/**
 * Asks an endpoint for one named thing. Throws an OpacError of kind `not-found` that names what there is, or says that
 * the deployment does not offer the endpoint at all, when the document does not promise it.
 */
export async function getNamed(
  client: Client,
  endpointId: string,
  path: Readonly<Record<string, string>>,
  named: Named,
  options: { readonly query?: readonly (readonly [string, string])[]; readonly signal?: AbortSignal } = {},
): Promise<object> {
  try {
    return await client.get(endpointId, { path, ...options });
  } catch (error) {
    throw await explained(error, endpointId, named);
  }
}

/** The error of an endpoint, with what there is when it was a 404. */
export async function explained(error: unknown, endpointId: string, named: Named): Promise<unknown> {
  return isMissing(error) ? missingError(error, endpointId, named) : error;
}

/** True for a 404, also one that came as a web page because the path itself is unknown there. */
function isMissing(error: unknown): error is OpacError {
  return (
    error instanceof OpacError && (error.kind === 'not-found' || ('status' in error && error.status === 404))
  );
}

async function missingError(
  cause: OpacError,
  endpointId: string,
  { what, name, known }: Named,
): Promise<OpacError> {
  const row = endpoint(endpointId);
  let names: readonly string[] = [];
  try {
    names = await known();
  } catch (error) {
    // What the name belongs to is missing itself: that is what went wrong.
    if (error instanceof OpacError && error.kind === 'not-found') return error;
  }
  if (names.includes(name) || (row.origin === 'likely' && names.length === 0)) {
    return new OpacError('not-found', `this deployment does not offer ${row.path}`, {
      hint: row.origin === 'documented' ? undefined : 'the document of the service does not promise it',
      cause,
    });
  }
  return new OpacError('not-found', `there is no ${what} "${name}"`, {
    hint: didYouMean(name, names),
    cause,
  });
}
