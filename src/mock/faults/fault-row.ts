/** A row of a table of faults: the effect of the fault, and its settings. */
import type { ServerResponse } from 'node:http';
import type { JsonRecord } from '../../local/record.js';
import type { Page } from '../../local/request.js';
import type { RouteResponse } from '../../local/response.js';
import type { Settings, ValuesOf } from './settings.js';

/** A request that a fault may change before its route sees it. */
export interface MutableRequest {
  readonly query: URLSearchParams;
  authorization: string | undefined;
  readonly goodAuthorization: string;
  /** The ids of the first records of the kind; none for what is no search. */
  readonly firstIds: (count: number) => Promise<readonly string[]>;
}

export interface Outgoing {
  readonly to: ServerResponse;
  readonly send: (response: RouteResponse) => void;
  readonly closing: AbortSignal;
}

export interface Effect<Values> {
  /** The requests that it affects, where a fault does not say otherwise; see `When`. */
  readonly on?: string | readonly string[];
  misread?(request: MutableRequest): void | Promise<void>;
  /** Changes a page of a search. `number` counts the searches. Of these faults all that match apply. */
  page?(page: Page, values: Values, number: number): Page;
  /** Gives what to put in the place of a JSON object; told the query of the request. */
  misstate?(value: JsonRecord, query: URLSearchParams): unknown;
  replace?(response: RouteResponse, values: Values): RouteResponse;
  deliver?(response: RouteResponse, values: Values, outgoing: Outgoing): void | Promise<void>;
  readonly refusesDeprecated?: true;
}

export type FaultRow<S extends Settings = Settings> = Effect<ValuesOf<S>> & {
  /** The first one is the value of `name=value`. */
  readonly settings?: S;
};

/** A fault with settings. */
export function withSettings<S extends Settings>(settings: S, effect: Effect<ValuesOf<S>>) {
  return { ...effect, settings };
}

/** Rows by the names of their faults. A row takes the values of its own settings alone. */
// biome-ignore lint/suspicious/noExplicitAny: the values of the settings differ from row to row
export type FaultTable = Readonly<Record<string, Effect<any> & { readonly settings?: Settings }>>;
