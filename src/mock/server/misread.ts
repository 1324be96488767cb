/** Lets a defect misread a request before its route sees it. */
import { RETIRED_PATHS } from '../../service/endpoints/retired.js';
import { KINDS } from '../../service/kinds.js';
import { matchTemplate } from '../../service/migrate/address.js';
import type { RecordList } from '../data/record-list.js';
import { defectOf } from '../faults/defects.js';
import type { Fault } from '../faults/fault.js';
import { RouteError } from '../response.js';
import type { ServerState } from './request.js';

export interface Read {
  /** Changed in place by what a defect misreads. */
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
}

/** The Authorization header as the museum reads it, with a fault or without. */
export function misread(
  fault: Fault | undefined,
  routeId: string,
  { query, authorization }: Read,
  { settings, searcher, store }: ServerState,
): string | undefined {
  const defect = fault && defectOf(fault.kind);
  if (!defect?.misread) return authorization;
  const kind = KINDS.find((each) => routeId === `${each}.search`);
  const request = {
    routeId,
    query,
    authorization,
    goodAuthorization: `Basic ${settings.basicKey}`,
    count: () => (kind ? orNone(() => searcher.select(kind, query).count) : 0),
    firstIds: (number: number) => (kind ? firstIds(store.records[kind], number) : []),
  };
  defect.misread(request);
  return request.authorization;
}

function firstIds(records: RecordList, number: number): string[] {
  return Array.from({ length: Math.min(number, records.count) }, (_, index) => records.at(index).id);
}

function orNone(count: () => number): number {
  try {
    return count();
  } catch (error) {
    if (error instanceof RouteError) return 0;
    throw error;
  }
}

/** Whether version 3 retired a path below `/api/v3`. */
export function isRetired(path: string): boolean {
  const segments = path.split('/').slice(1);
  return RETIRED_PATHS.some((retired) => matchTemplate(retired.path, segments));
}
