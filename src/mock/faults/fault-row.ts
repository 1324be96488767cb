/** The rows of the fault tables: the effect of a fault and its settings. */
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
  /** Returns the ids of the first records of the kind; `[]` if the request is not a search. */
  readonly listFirstIds: (count: number) => Promise<readonly string[]>;
}

export interface Outgoing {
  readonly to: ServerResponse;
  readonly send: (response: RouteResponse) => void;
  readonly closing: AbortSignal;
}

export interface Effect<Values> {
  /** Default of `FaultCondition.on`. */
  readonly on?: string | readonly string[];
  misread?(request: MutableRequest): void | Promise<void>;
  /** `number` counts the searches. If several such faults match, all are applied. */
  page?(page: Page, values: Values, number: number): Page;
  /** Called for each JSON object in the response. `query`: the query of the request. */
  misstate?(value: JsonRecord, query: URLSearchParams): unknown;
  replace?(response: RouteResponse, values: Values): RouteResponse;
  deliver?(response: RouteResponse, values: Values, outgoing: Outgoing): void | Promise<void>;
  readonly refusesDeprecated?: true;
}

export type FaultRow<S extends Settings = Settings> = Effect<ValuesOf<S>> & {
  /** In `name=value`, the value is that of the first setting. */
  readonly settings?: S;
};

export function withSettings<S extends Settings>(settings: S, effect: Effect<ValuesOf<S>>) {
  return { ...effect, settings };
}

/** The effect of a row gets the values of its settings. */
// biome-ignore lint/suspicious/noExplicitAny: the values of the settings differ from row to row
export type FaultTable = Readonly<Record<string, Effect<any> & { readonly settings?: Settings }>>;
