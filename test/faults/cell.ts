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
import { expectedOf, mayPass } from './rule.js';

interface Ran {
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
): Promise<Ran> {
  const museum = await startMuseum(museumOptions);
  const folder = await mkdtemp(join(tmpdir(), 'opac-cell-'));
  try {
    await mkdir(join(folder, 'config'));
    const words = line.replaceAll('{folder}', folder).split(' ');
    const { code, stdout, stderr } = await opac([...words, '--base-url', museum.url, ...options, ...FLAGS], {
      environment: {
        OPAC_CONFIG_DIR: join(folder, 'config'),
        ...(line.startsWith('login') || credentials === 'client' ? clientOf(museum) : {}),
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
    const plain = (value: string) => value.replaceAll(museum.url, 'MUSEUM').replaceAll(folder, 'FOLDER');
    return {
      code,
      stderr: plain(stderr),
      result: text && plain(text),
      requests: museum.requests.length,
      names,
    };
  } finally {
    await museum.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function clientOf({ client }: Awaited<ReturnType<typeof startMuseum>>): Record<string, string> {
  const { clientId, clientSecret, redirectURI } = client;
  return { OPAC_CLIENT_ID: clientId, OPAC_CLIENT_SECRET: clientSecret, OPAC_REDIRECT_URI: redirectURI };
}

const undisturbed = new Map<string, Promise<Ran>>();

/** Returns the result of a family of commands without faults. Runs each family only once. */
export function truth(family: Family): Promise<Ran> {
  const ran = undisturbed.get(family.name) ?? run(family, {});
  undisturbed.set(family.name, ran);
  return ran;
}

/** Text that no message may contain. */
const JUNK = /\n {4}at |undefined|\[object |NaN|internal error|"code":"internal"/;

/** Returns undefined if a failure ends as rule.ts says. Otherwise, returns what is wrong. */
export async function failureCell(row: FailureRow, form: Form, family: Family): Promise<string | undefined> {
  const when = {
    passing: row.retried === 'once-reached' ? { after: 1, count: 2 } : { first: 1 },
    lasting: {},
    midway: { after: 3 },
  }[form];
  const on = family.on === undefined ? {} : { on: family.on };
  const [ran, whole] = [
    await run(family, { faults: [{ ...row.failure, ...when, ...on }] }, row),
    await truth(family),
  ];
  const expected = expectedOf(row, form, family);
  const wrong: string[] = [];
  // A command may succeed without views if it says so. `opac check` may report the failure.
  const isSpared = ran.result === whole.result || /cannot read the views/.test(ran.stderr);
  const isReported = family.asks === 'check' && [0, 5, 7].includes(ran.code);
  if (form === 'passing' && !JUNK.test(ran.stderr) && ((ran.code === 0 && isSpared) || isReported)) {
    const isSilent =
      expected.exit === 0 &&
      row.retried === true &&
      family.asks !== 'offline' &&
      !/retrying in /.test(ran.stderr);
    return isSilent && !isReported && family.on !== 'oauth.authorize'
      ? 'no message about a retry'
      : undefined;
  }
  // `opac check` continues if the deployment responds at all, and reports wrong responses with exit code 7.
  if (family.asks === 'check' && ran.code === 7 && !JUNK.test(ran.stderr)) return undefined;
  if (ran.code !== expected.exit) wrong.push(`exit ${ran.code}, not ${expected.exit}`);
  if (JUNK.test(ran.stderr)) wrong.push('junk in the message');
  if (expected.whole && family.asks !== 'check' && ran.result !== whole.result) wrong.push('another result');
  if (family.asks === 'offline' && ran.requests > 0) wrong.push('sent something');
  if (!expected.whole && family.asks === 'export' && ran.names.includes(String(family.file)))
    wrong.push('an incomplete file with the name of a complete one');
  if (!expected.whole && family.asks === 'mirror' && ran.result !== undefined)
    wrong.push('an incomplete mirror');
  if (expected.whole && ran.names.join() !== whole.names.join()) wrong.push(`left ${ran.names}`);
  const error = errorOf(ran.stderr);
  if (expected.ofRequest)
    wrong.push(...wrongError(error, row, { ...expected, isMidway: form === 'midway', family }));
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

function errorOf(stderr: string): ShownError | undefined {
  const last = stderr.trim().split('\n').at(-1) ?? '';
  return last.startsWith('{') ? (JSON.parse(last) as ShownError) : undefined;
}

/** Yields what is wrong with an error of a request, such as its code or its text, or that it does not name the request. */
function* wrongError(
  error: ShownError | undefined,
  { says, code: rowCode }: FailureRow,
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
  if (code === 'not-found') return error.path === null && error.ids === null && (yield 'names nothing');
  const isLogin =
    family.asks === 'login' && /sign-in page|redirects to|not a token|neither a redirect/.test(error.message);
  if (!says.test(error.message) && !isLogin) yield `the message lacks ${says}`;
  if (!/\((GET|POST) \/\S+\)/.test(error.message)) yield 'the message names no request';
  if (!error.hint) yield 'no hint';
  if (isCode && error.retry !== mayPass(error.code)) yield 'retry is wrong';
}

/** Returns undefined if the result is correct, although the deployment is slow or configured in another way. */
export async function harmlessCell(
  { museum, credentials }: OptionsRow,
  family: Family,
): Promise<string | undefined> {
  const [ran, whole] = [await run(family, museum, { credentials }), await truth(family)];
  if (ran.code !== 0) return `exit ${ran.code}: ${ran.stderr}`;
  return ran.result === whole.result || family.asks === 'check' ? undefined : 'another result';
}

/** Returns undefined if wrong pages still result in each record once, or in a message about missing records. */
export async function pagingCell({ museum }: OptionsRow, family: Family): Promise<string | undefined> {
  const [ran, whole] = [await run(family, museum), await truth(family)];
  if (JUNK.test(ran.stderr)) return `junk in the message: ${ran.stderr}`;
  const ids = idsOf(ran.result);
  if (new Set(ids).size < ids.length) return 'a duplicate record';
  if (ran.code !== 0) {
    if (ran.code !== 6) return `exit ${ran.code}: ${ran.stderr}`;
    return /missing|not received|early|refuses|same records|only|total/.test(ran.stderr)
      ? undefined
      : `does not say what is missing: ${ran.stderr}`;
  }
  const missing = idsOf(whole.result).filter((id) => !ids.includes(id));
  const told = /changed|missed|missing|total/.test(ran.stderr);
  return missing.length === 0 || told ? undefined : `lost ${missing.length} records in silence`;
}

function idsOf(result = ''): string[] {
  return result
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(/[,\t]/)[0] ?? '');
}
