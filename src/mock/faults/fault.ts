/** The faults: what can go wrong, with which requests. fault-effects.ts says what each fault does. */
import { UsageError } from '../../service/errors.js';
import { didYouMean } from '../../service/nearest.js';
import { DEFECT_NAMES, type DefectName, defectOf } from './defects.js';
import { checkSettings, FLAG, integerFrom, OBJECT, oneOf, type SettingsOf, TEXT, TEXTS } from './settings.js';

/** A failure, and the requests it affects. */
export type Fault = When & Failure;

/** Which requests a fault affects; by default all that it is `on`. Of several faults the first that matches wins. */
export interface When {
  /** Every n-th: 7 is the 7th, 14th … */
  readonly every?: number;
  readonly first?: number;
  /** Those after the first n; with `count`, only so many of them. */
  readonly after?: number;
  readonly count?: number;
  /**
   * Endpoints (`objects.search`), nouns (`objects`, `oauth`), `images` or `retired` (paths of version 2). Default: the routes
   * that a defect is about, or all but `oauth`, `images` and `retired`. Only these requests are counted.
   */
  readonly on?: string | readonly string[];
}

/** How a response of the museum goes wrong. */
export type Failure =
  /** An error of the service. `retryAfter` adds the header in one of its two forms (RFC 9110 section 10.2.3). */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: 'seconds' | 'date';
      /** Default 1. A date has no fractions of a second. */
      readonly retryAfterSeconds?: number;
      /** Default `{"message": …}`. */
      readonly body?: string;
    }
  | { readonly kind: 'cut-before' }
  | { readonly kind: 'cut-body' }
  /** The body stops half-way, until the client gives up or the museum closes. */
  | { readonly kind: 'stall' }
  /** A byte at a time, with a pause in milliseconds after each, 50 by default. */
  | { readonly kind: 'drip'; readonly pause?: number }
  /** The header says that the body is compressed, and it is not. */
  | { readonly kind: 'broken-coding'; readonly coding: 'gzip' | 'br' }
  /** JSON in ISO 8859-1; with `declared` its content type says so, else it is passed off as UTF-8. */
  | { readonly kind: 'latin1'; readonly declared?: boolean }
  /** Half a JSON text. */
  | { readonly kind: 'truncated' }
  /** The firewall's challenge: 202, `x-amzn-waf-action: challenge` and HTML. */
  | { readonly kind: 'challenge' }
  /** The firewall's 403 with HTML; usually in bursts. */
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'html' }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** After a pause in milliseconds, 250 by default. */
  | { readonly kind: 'slow-start'; readonly pause?: number }
  /** The true JSON response with some keys set and others dropped; what is not JSON stays as it is. */
  | {
      readonly kind: 'patched';
      readonly set?: Readonly<Record<string, unknown>>;
      readonly drop?: string | readonly string[];
    }
  /** A promise of the interface that is not kept: see defects.ts. */
  | { readonly kind: DefectName };

export type FaultKind = Failure['kind'];
export type OwnKind = Exclude<FaultKind, DefectName>;
export type FailureOf<Kind extends FaultKind> = Extract<Failure, { kind: Kind }>;

const WHEN: SettingsOf<When> = {
  every: integerFrom(1),
  first: integerFrom(0),
  after: integerFrom(0),
  count: integerFrom(0),
  on: TEXTS,
};

const SETTINGS: { readonly [Kind in OwnKind]: SettingsOf<Omit<FailureOf<Kind>, 'kind'>> } = {
  status: {
    status: { ...integerFrom(200, 599), required: true },
    retryAfter: oneOf('seconds', 'date'),
    retryAfterSeconds: integerFrom(0),
    body: TEXT,
  },
  'cut-before': {},
  'cut-body': {},
  stall: {},
  drip: { pause: integerFrom(1) },
  'broken-coding': { coding: { ...oneOf('gzip', 'br'), required: true } },
  latin1: { declared: FLAG },
  truncated: {},
  challenge: {},
  forbidden: {},
  html: {},
  redirect: { location: { ...TEXT, required: true }, status: integerFrom(300, 399) },
  'slow-start': { pause: integerFrom(0) },
  patched: { set: OBJECT, drop: TEXTS },
};

export const FAULT_KINDS = [...Object.keys(SETTINGS), ...DEFECT_NAMES] as readonly FaultKind[];

/** Throws a UsageError for an unknown kind and for settings that it does not take. */
export function checkFault(value: Readonly<Record<string, unknown>>): Fault {
  const { kind, ...settings } = value;
  const known = FAULT_KINDS.find((name) => name === kind);
  if (!known) throw new UsageError(`unknown fault "${kind}"`, didYouMean(String(kind), FAULT_KINDS));
  const own = defectOf(known) ? {} : SETTINGS[known as OwnKind];
  checkSettings(settings, { ...own, ...WHEN }, (name) => `setting "${name}" of fault ${known}`);
  return value as unknown as Fault;
}
