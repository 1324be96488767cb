/** The rows of the fault tables: the effect of a kind of fault, and its settings. */
import type { ServerResponse } from 'node:http';
import type { JsonRecord } from '../../local/record.js';
import type { Page } from '../../local/request.js';
import type { RouteResponse } from '../../local/response.js';
import type { Settings, ValuesOf } from './settings.js';

/** The parts of a request that a fault may change before the museum creates the response. */
export interface MutableRequest {
  readonly query: URLSearchParams;
  authorization: string | undefined;
  /** An Authorization header that the museum accepts. */
  readonly goodAuthorization: string;
  /** Returns the ids of the first records of the kind that the request searches; `[]` if the request is not a search. */
  readonly listFirstIds: (count: number) => Promise<readonly string[]>;
}

export interface Outgoing {
  readonly to: ServerResponse;
  readonly send: (response: RouteResponse) => void;
  /** Aborted when the museum closes. */
  readonly closing: AbortSignal;
}

export interface Effect<Values> {
  /** Default of `FaultCondition.on` (fault.ts). */
  readonly on?: string | readonly string[];
  /** Changes the request before the museum reads it. */
  misread?(request: MutableRequest): void | Promise<void>;
  /** Changes the page. `number`: how many requests the fault has counted, including this request. */
  page?(page: Page, values: Values, number: number): Page;
  /** Returns an object to use instead of `value`. Called for each object, also nested, in a JSON response with status 200. */
  misstate?(value: JsonRecord, query: URLSearchParams): unknown;
  replace?(response: RouteResponse, values: Values): RouteResponse;
  deliver?(response: RouteResponse, values: Values, outgoing: Outgoing): void | Promise<void>;
  /** Deprecated paths fail with 404, and deprecated parameters with 400. The conditions of the fault have no effect. */
  readonly refusesDeprecated?: true;
}

export type FaultRow<S extends Settings = Settings> = Effect<ValuesOf<S>> & {
  /** In the text `kind=value`, the value belongs to the first setting. */
  readonly settings?: S;
};

export function withSettings<S extends Settings>(settings: S, effect: Effect<ValuesOf<S>>) {
  return { ...effect, settings };
}

// biome-ignore lint/suspicious/noExplicitAny: the values of the settings differ from row to row
export type FaultTable = Readonly<Record<string, Effect<any> & { readonly settings?: Settings }>>;
