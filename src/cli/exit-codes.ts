/** Exit codes by the kind of an error. */
import { type ErrorKind, OpacError } from '../service/errors.js';

export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  usage: 2,
  'not-found': 3,
  auth: 4,
  deployment: 5,
  incomplete: 6,
  check: 7,
  locked: 8,
  different: 9,
  interrupted: 130,
};

/** A test compares docs/errors.md with this list. */
export const EXIT_CODE_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'success; if nothing was found, the output is empty but valid'],
  [
    EXIT_CODES.internal,
    'internal or local error, such as an output file that cannot be written (see also exit code 6); the --on-change command failed or exceeded --deadline',
  ],
  [
    EXIT_CODES.usage,
    'usage error: an invalid option or query; an unknown command, column or profile; an input file that opac cannot read',
  ],
  [EXIT_CODES['not-found'], 'not found in the service: a record, facet, view or relationship'],
  [EXIT_CODES.auth, 'credentials are missing, rejected or expired, or no deployment was given'],
  [
    EXIT_CODES.deployment,
    'the deployment failed or could not be reached, even after retries, or --deadline was exceeded',
  ],
  [
    EXIT_CODES.incomplete,
    'records or images are missing, for example because --deadline ended an export; the disk failed or was full during an export, a download or a sync; the saved records of an export are damaged; "opac verify" found a missing, changed or damaged file',
  ],
  [EXIT_CODES.check, '"opac check" found failures'],
  [EXIT_CODES.locked, 'another run of opac is writing the same file; --wait-lock waits for it'],
  [EXIT_CODES.different, 'with --exit-code: "opac diff" found records that differ'],
  [EXIT_CODES.interrupted, 'interrupted; an export can be resumed'],
];

export function getExitCode(error: unknown): number {
  return error instanceof OpacError ? EXIT_CODES[error.kind] : EXIT_CODES.internal;
}
