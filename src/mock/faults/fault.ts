/** The faults that the museum simulates, and the requests that they affect. Each kind of fault is a row in one of the tables. */
import type { JsonRecord } from '../../local/record.js';
import { isJsonResponse, jsonResponse, type RouteResponse } from '../../local/response.js';
import { UsageError } from '../../service/errors.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { didYouMean } from '../../service/suggest-name.js';
import { DELIVERY_FAULTS } from './delivery-faults.js';
import type { Effect, FaultRow, Outgoing } from './fault-row.js';
import { PAGING_FAULTS } from './paging-faults.js';
import { PROMISE_FAULTS } from './promise-faults.js';
import { assertSettings, createInteger, type Settings, TEXT_LIST, type ValuesOf } from './settings.js';

const FAULTS = { ...DELIVERY_FAULTS, ...PAGING_FAULTS, ...PROMISE_FAULTS };

export type FaultKind = keyof typeof FAULTS;

/** The kind of a fault and its settings. */
export type FaultEffect = {
  [Kind in FaultKind]: { readonly kind: Kind } & ValuesOf<SettingsOf<(typeof FAULTS)[Kind]>>;
}[FaultKind];

type SettingsOf<Row> = Row extends { readonly settings: infer Own extends Settings } ? Own : object;

/** The requests that a fault affects: those that `on` selects and that meet all other conditions. */
export interface FaultCondition {
  /** With 7, affects the 7th request, the 14th and so on. */
  readonly every?: number;
  /** Affects only the first `first` requests. */
  readonly first?: number;
  /** Does not affect the first `after` requests. */
  readonly after?: number;
  /** Affects only the first `count` requests after those that `after` skips. */
  readonly count?: number;
  /**
   * Endpoints (`objects.search`), nouns (`objects`, `oauth`), `images`, or `retired` (deprecated, removed or renamed paths).
   * Default: the `on` of the fault's row, or all requests except `oauth`, `images` and `retired`. The other conditions count only
   * the selected requests.
   */
  readonly on?: string | readonly string[];
}

/** If several faults affect a request, the museum applies all paging faults, and the first of the other faults. */
export type Fault = FaultCondition & FaultEffect;

const CONDITIONS = {
  every: createInteger(1),
  first: createInteger(0),
  after: createInteger(0),
  count: createInteger(0),
  on: TEXT_LIST,
};

export const FAULT_KINDS = Object.keys(FAULTS) as readonly FaultKind[];

/** All kinds of faults, with the setting that a fault requires: `cut-body` or `ends-early=<at>`. */
export const FAULT_FORMS: readonly string[] = FAULT_KINDS.map((kind) => {
  const [main] = Object.entries(findRow(kind)?.settings ?? {});
  return main?.[1].required ? `${kind}=<${main[0]}>` : kind;
});

/** Returns `value`. Throws a UsageError for an unknown kind, and for an unknown, invalid or missing setting or condition. */
export function checkFault(value: Readonly<Record<string, unknown>>): Fault {
  const { kind, ...values } = value;
  const row = findRow(kind);
  if (!row) throw new UsageError(`unknown fault "${kind}"`, didYouMean(String(kind), FAULT_KINDS));
  const settings = { ...row.settings, ...CONDITIONS };
  assertSettings(values, settings, (name) => `setting "${name}" of fault ${kind}`);
  return value as unknown as Fault;
}

/** Parses text such as `status=503,every=7`; 503 is the value of the first setting. Throws a UsageError for an invalid fault. */
export function parseFault(text: string): Fault {
  const [first = '', ...rest] = text.split(',');
  const [kind = '', value] = parseKeyValue(first);
  const row = findRow(kind);
  const [main] = Object.keys(row?.settings ?? {});
  if (row && value !== undefined && main === undefined) throw new UsageError(`fault ${kind} takes no value`);
  const settings = rest.map((part) => {
    if (part.indexOf('=') < 1)
      throw new UsageError(`invalid setting "${part}" in "${text}"`, 'write <key>=<value>');
    return parseKeyValue(part);
  });
  return checkFault({
    kind,
    ...(value !== undefined && { [main ?? '']: value }),
    ...Object.fromEntries(settings),
  });
}

function parseKeyValue(part: string): [key: string, value?: unknown] {
  const at = part.indexOf('=');
  if (at < 0) return [part];
  const value = part.slice(at + 1);
  if (/^\d+$/.test(value)) return [part.slice(0, at), Number(value)];
  return [part.slice(0, at), value === 'true' || value === 'false' ? value === 'true' : value];
}

function findRow(kind: unknown): FaultRow | undefined {
  const known = FAULT_KINDS.find((name) => name === kind);
  return known && (FAULTS[known] as FaultRow);
}

export interface ActiveFault {
  readonly fault: Fault;
  readonly effect: Effect<Fault>;
  /** The number of requests that the fault has counted, including this one. */
  readonly number: number;
}

/** A fault affects requests of these nouns only if its `on`, or the `on` of its row, names the noun or the endpoint. */
const EXCLUDED_NOUNS = ['oauth', 'images', 'retired'];

export class FaultCounter {
  readonly #faults: readonly { readonly fault: Fault; readonly effect: Effect<Fault>; number: number }[];

  /** Throws the UsageError of `checkFault`, because programs may pass any value. */
  constructor(faults: readonly Fault[]) {
    this.#faults = faults.map((each) => {
      const fault = checkFault({ ...each });
      return { fault, effect: FAULTS[fault.kind] as Effect<Fault>, number: 0 };
    });
  }

  get refusesDeprecated(): boolean {
    return this.#faults.some(({ effect }) => effect.refusesDeprecated);
  }

  /** Counts a request, and returns the faults that affect it. */
  next(routeId: string): ActiveFault[] {
    const counted = this.#faults.filter(({ fault, effect }) => isOn(fault.on ?? effect.on, routeId));
    for (const each of counted) each.number++;
    return counted.filter(({ fault, number }) => matches(fault, number)).map((each) => ({ ...each }));
  }
}

function isOn(on: FaultCondition['on'], routeId: string): boolean {
  const noun = routeId.split('.')[0] as string;
  if (on === undefined) return !EXCLUDED_NOUNS.includes(noun);
  return [on].flat().some((name) => name === routeId || name === noun);
}

function matches({ every, first, after, count }: FaultCondition, number: number): boolean {
  if (every !== undefined && number % every !== 0) return false;
  if (first !== undefined && number > first) return false;
  if (after !== undefined && number <= after) return false;
  return count === undefined || number <= (after ?? 0) + count;
}

export function replaceResponse(
  { fault, effect }: ActiveFault,
  response: RouteResponse,
  query: URLSearchParams,
): RouteResponse {
  if (effect.replace) return effect.replace(response, fault);
  if (!effect.misstate || !isJsonResponse(response) || response.status !== 200) return response;
  const body: unknown = parseJsonLossless(response.body, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? effect.misstate?.(value as JsonRecord, query)
      : value,
  );
  return jsonResponse(body, response.status);
}

export async function deliver(
  active: ActiveFault | undefined,
  response: RouteResponse,
  outgoing: Outgoing,
): Promise<void> {
  if (active?.effect.deliver) await active.effect.deliver(response, active.fault, outgoing);
  else outgoing.send(response);
}
