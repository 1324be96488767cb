/** Runs one cell of the fault matrix (matrix.ts) in this process, and returns what is wrong. */
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type MuseumOptions, startMuseum } from '../../src/mock/index.js';
import type { ErrorCode } from '../../src/service/error-codes.js';
import { opac } from '../cli/run-in-process.js';
import type { Family } from './families.js';
import type { FailureRow, Form, OptionsRow } from './faults.js';
import { createExpectation, maySucceedLater } from './rule.js';

interface Outcome {
  readonly code: number;
  readonly result: string | undefined;
  readonly stderr: string;
  readonly requests: number;
  readonly names: readonly string[];
}

/** Errors as JSON, and a message for each retry. */
const FLAGS = ['--error-format', 'json', '--verbose'] as const;

async function run(
  { line, file }: Family,
  museumOptions: MuseumOptions,
  {
    options = [],
    credentials,
  }: { options?: readonly string[]; credentials?: 'client' | 'token' | undefined } = {},
): Promise<Outcome> {
  const museum = await startMuseum(museumOptions);
  const folder = await mkdtemp(join(tmpdir(), 'opac-cell-'));
  try {
    await mkdir(join(folder, 'config'));
    const words = line.replaceAll('{folder}', folder).split(' ');
    const { code, stdout, stderr } = await opac([...words, '--base-url', museum.url, ...options, ...FLAGS], {
      environment: {
        OPAC_CONFIG_DIR: join(folder, 'config'),
        ...(line.startsWith('login') || credentials === 'client' ? createClientVariables(museum) : {}),
        ...(credentials === 'token' && { OPAC_ACCESS_TOKEN: museum.issueToken() }),
      },
    });
    const names = (await readdir(folder)).filter((name) => name !== 'config').sort();
    const raw =
      file === undefined ? stdout : await readFile(join(folder, file), 'latin1').catch(() => undefined);
    const text =
      raw !== undefined && file?.endsWith('.gz')
        ? gunzipSync(Buffer.from(raw, 'latin1')).toString('latin1')
        : raw;
    // Only the URL of the museum and the folder differ between two runs.
    const replaceVariableParts = (value: string) =>
      value.replaceAll(museum.url, 'MUSEUM').replaceAll(folder, 'FOLDER');
    return {
      code,
      stderr: replaceVariableParts(stderr),
      result: text && replaceVariableParts(text),
      requests: museum.requests.length,
      names,
    };
  } finally {
    await museum.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function createClientVariables({ client }: Awaited<ReturnType<typeof startMuseum>>): Record<string, string> {
  const { clientId, clientSecret, redirectURI } = client;
  return { OPAC_CLIENT_ID: clientId, OPAC_CLIENT_SECRET: clientSecret, OPAC_REDIRECT_URI: redirectURI };
}

const withoutFaults = new Map<string, Promise<Outcome>>();

/** Returns the result of a family of commands without faults. Runs each family only once. */
export function runWithoutFaults(family: Family): Promise<Outcome> {
  const ran = withoutFaults.get(family.name) ?? run(family, {});
  withoutFaults.set(family.name, ran);
  return ran;
}

/** Text that no message may contain. */
const JUNK = /\n {4}at |undefined|\[object |NaN|internal error|"code":"internal"/;

/** Returns undefined if a failure ends as rule.ts says. Otherwise, returns what is wrong. */
export async function checkFailure(row: FailureRow, form: Form, family: Family): Promise<string | undefined> {
  const when = {
    passing: row.retried === 'once-reached' ? { after: 1, count: 2 } : { first: 1 },
    lasting: {},
    midway: { after: 3 },
  }[form];
  const on = family.on === undefined ? {} : { on: family.on };
  const [ran, reference] = [
    await run(family, { faults: [{ ...row.failure, ...when, ...on }] }, row),
    await runWithoutFaults(family),
  ];
  const expected = createExpectation(row, form, family);
  const wrong: string[] = [];
  // A command may succeed without views if it says so. `opac check` may report the failure.
  const isAccepted = ran.result === reference.result || /cannot read the views/.test(ran.stderr);
  const isReported = family.type === 'check' && [0, 5, 7].includes(ran.code);
  if (form === 'passing' && !JUNK.test(ran.stderr) && ((ran.code === 0 && isAccepted) || isReported)) {
    const isSilent =
      expected.exit === 0 &&
      row.retried === true &&
      family.type !== 'offline' &&
      !/retrying in /.test(ran.stderr);
    return isSilent && !isReported && family.on !== 'oauth.authorize'
      ? 'no message about a retry'
      : undefined;
  }
  // `opac check` continues if the deployment responds at all, and reports wrong responses with exit code 7.
  if (family.type === 'check' && ran.code === 7 && !JUNK.test(ran.stderr)) return undefined;
  if (ran.code !== expected.exit) wrong.push(`exit ${ran.code}, not ${expected.exit}`);
  if (JUNK.test(ran.stderr)) wrong.push('internal text in the message');
  if (expected.isComplete && family.type !== 'check' && ran.result !== reference.result)
    wrong.push('another result');
  if (family.type === 'offline' && ran.requests > 0) wrong.push('a command without requests sent requests');
  if (!expected.isComplete && family.type === 'export' && ran.names.includes(String(family.file)))
    wrong.push('an incomplete file with the name of a complete one');
  if (!expected.isComplete && family.type === 'mirror' && ran.result !== undefined)
    wrong.push('an incomplete mirror');
  if (expected.isComplete && ran.names.join() !== reference.names.join())
    wrong.push(`the files are ${ran.names}, not ${reference.names}`);
  const error = parseError(ran.stderr);
  if (expected.ofRequest)
    wrong.push(...findErrors(error, row, { ...expected, isMidway: form === 'midway', family }));
  return wrong.length === 0
    ? undefined
    : `${wrong.join('; ')}: ${ran.stderr.trim().split('\n').at(-1)?.slice(0, 300)}`;
}

interface ShownError {
  readonly code: ErrorCode;
  readonly exit: number;
  readonly message: string;
  readonly hint: string | null;
  readonly retry: boolean;
  readonly method: string | null;
  readonly path: string | null;
  readonly ids: readonly string[] | null;
}

function parseError(stderr: string): ShownError | undefined {
  const last = stderr.trim().split('\n').at(-1) ?? '';
  return last.startsWith('{') ? (JSON.parse(last) as ShownError) : undefined;
}

/** Yields what is wrong with the error of a request, for example a wrong code, or a message without the request. */
function* findErrors(
  error: ShownError | undefined,
  { message, code: rowCode }: FailureRow,
  {
    code,
    isMidway,
    family,
  }: { readonly code?: ErrorCode; readonly isMidway: boolean; readonly family: Family },
): Iterable<string> {
  if (!error) return yield 'no error';
  // After failed pages, an export may continue and report `incomplete` at the end, or stop with the error of a page.
  const isCode = [code, ...(isMidway ? ['incomplete', rowCode] : [])].includes(error.code);
  if (!isCode) yield `code ${error.code}, not ${code}`;
  if (code === 'not-found')
    return error.path === null && error.ids === null && (yield 'the error contains neither a path nor ids');
  const isLogin =
    family.type === 'login' && /sign-in page|redirects to|not a token|neither a redirect/.test(error.message);
  if (!message.test(error.message) && !isLogin) yield `the message does not match ${message}`;
  if (!/\((GET|POST) \/\S+\)/.test(error.message)) yield 'the message does not contain the request';
  if (!error.hint) yield 'no hint';
  if (isCode && error.retry !== maySucceedLater(error.code)) yield 'the value of "retry" is wrong';
}

/** Returns undefined if the result is correct, although the deployment is slow or configured in another way. */
export async function checkHarmless(
  { museum, credentials }: OptionsRow,
  family: Family,
): Promise<string | undefined> {
  const [ran, reference] = [await run(family, museum, { credentials }), await runWithoutFaults(family)];
  if (ran.code !== 0) return `exit ${ran.code}: ${ran.stderr}`;
  return ran.result === reference.result || family.type === 'check' ? undefined : 'another result';
}

/** Returns undefined if wrong pages still result in each record once, or in a message about missing records. */
export async function checkPaging({ museum }: OptionsRow, family: Family): Promise<string | undefined> {
  const [ran, reference] = [await run(family, museum), await runWithoutFaults(family)];
  if (JUNK.test(ran.stderr)) return `internal text in the message: ${ran.stderr}`;
  const ids = parseIds(ran.result);
  if (new Set(ids).size < ids.length) return 'a duplicate record';
  if (ran.code !== 0) {
    if (ran.code !== 6) return `exit ${ran.code}: ${ran.stderr}`;
    return /missing|not received|early|refuses|same records|only|total/.test(ran.stderr)
      ? undefined
      : `the message does not mention missing records: ${ran.stderr}`;
  }
  const missing = parseIds(reference.result).filter((id) => !ids.includes(id));
  const isReported = /changed|missed|missing|total/.test(ran.stderr);
  return missing.length === 0 || isReported
    ? undefined
    : `${missing.length} missing records without a message`;
}

function parseIds(result = ''): string[] {
  return result
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(/[,\t]/)[0] ?? '');
}
