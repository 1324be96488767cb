/** Faults written by hand, on a command line: checked here, because nothing else stands between them and the server. */
import { UsageError } from '../../service/errors.js';
import { didYouMean } from '../../service/nearest.js';
import type { Fault } from './fault.js';

/** The keys that each kind takes beside those of when it meets. */
const KEYS: Readonly<Record<Fault['kind'], readonly string[]>> = {
  status: ['status', 'retryAfter', 'retryAfterSeconds', 'body'],
  'cut-before': [],
  'cut-body': [],
  stall: [],
  truncated: [],
  challenge: [],
  forbidden: [],
  html: [],
  redirect: ['location', 'status'],
  'slow-start': ['pause'],
  patched: ['set', 'drop'],
};

/** The names of the faults there are. */
export const FAULT_KINDS: readonly string[] = Object.keys(KEYS);

const WHEN = ['every', 'first', 'after', 'count', 'on'];

/** The fault that `value` describes. Throws a UsageError for a kind or a key there is none of, and for a status without a number. */
export function checkFault(value: Readonly<Record<string, unknown>>): Fault {
  const { kind, ...rest } = value;
  const name = String(kind);
  const keys = Object.hasOwn(KEYS, name) ? [...KEYS[name as Fault['kind']], ...WHEN] : undefined;
  if (keys === undefined) throw new UsageError(`there is no fault "${name}"`, didYouMean(name, FAULT_KINDS));
  for (const key of Object.keys(rest)) {
    if (!keys.includes(key))
      throw new UsageError(`the fault ${name} takes no "${key}"`, didYouMean(key, keys));
  }
  if (name === 'status' && typeof rest.status !== 'number') {
    throw new UsageError('the fault status needs a number', 'for example: status,status=503,every=7');
  }
  return value as unknown as Fault;
}
