/** `opac verify`: checks exported files against their manifests and, with `--online`, against the service. */
import { stat } from 'node:fs/promises';
import { listGaps } from '../../../export/verify/manifest.js';
import { findSnapshots } from '../../../mirror/mirror-state.js';
import type { ErrorCode } from '../../../service/error-codes.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import { KINDS } from '../../../service/kinds.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
import { formatShellWord } from '../../description/shell-words.js';
import { parseKind } from '../../options/kind.js';
import { count } from '../../output/terminal/numbers.js';
import { sanitizeLine } from '../../output/terminal/sanitize.js';
import { getDeploymentName } from '../search/deployment-name.js';

export const commands = [
  defineCommand({
    name: 'verify',
    summary: 'check exported files against their manifests',
    arguments: [
      {
        name: 'file',
        summary: 'exported files, their manifests, or a mirror',
        required: true,
        variadic: true,
        completes: 'file',
      },
    ],
    options: [
      {
        flags: '--online',
        summary: 'also show whether the total of the service has changed since the export',
      },
    ],
    examples: {
      'check that a file is complete and unchanged': 'opac verify objects.csv',
      'also show whether the service still has the same number of records':
        'opac verify objects.csv --online',
    },
    output: 'value',
    async run(context, { file: given, online }) {
      const files = (await Promise.all(given.map(listFiles))).flat();
      const checks: FileVerification[] = [];
      const codes: ErrorCode[] = [];
      for (const file of files)
        checks.push(
          await checkFile(context, file, online).catch(createUnverifiableResult(file, files, codes)),
        );
      const broken = checks.filter(({ problems }) => problems.length > 0);
      const shown = context.globalOptions.quiet ? broken : checks;
      return {
        kind: 'value',
        text: shown.map((each) => sanitizeLine(formatVerification(each))).join('\n'),
        json: checks,
        failure: () => createFailure(checks, broken, codes),
      };
    },
  }),
];

const UNVERIFIABLE: readonly ErrorCode[] = ['no-manifest', 'no-file', 'file-changed'];

/** Returns the snapshots of a mirror, or the path of a file. Throws the errors of `findSnapshots`. */
async function listFiles(path: string): Promise<readonly string[]> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory();
  return isFolder ? findSnapshots(path) : [path];
}

/** If there are several files, converts errors with a code in UNVERIFIABLE to results, so that opac continues. */
function createUnverifiableResult(
  file: string,
  files: readonly string[],
  codes: ErrorCode[],
): (error: unknown) => FileVerification {
  return (error) => {
    const code = error instanceof OpacError ? error.code : undefined;
    if (!(error instanceof OpacError) || !code || !UNVERIFIABLE.includes(code) || files.length === 1)
      throw error;
    codes.push(code);
    const unknown = { complete: false, finished: null, total: null, totalNow: null };
    return { file, records: 0, ...unknown, problems: [error.message] };
  };
}

function createFailure(
  checks: readonly FileVerification[],
  broken: readonly FileVerification[],
  codes: readonly ErrorCode[],
): OpacError | undefined {
  if (broken.length === 0) return undefined;
  const files = `${formatNumber(broken.length)} of ${formatNumber(checks.length)} files`;
  if (broken.length === codes.length)
    return new OpacError('incomplete', `${files} cannot be verified`, {
      hint: 'name files that an export wrote',
      code: (new Set(codes).size === 1 && codes[0]) || 'no-manifest',
    });
  const subject = checks.length === 1 ? `"${broken[0]?.file}"` : files;
  const [is, was] = broken.length === 1 ? ['is', 'was'] : ['are', 'were'];
  const problem =
    codes.length > 0
      ? `${is} incomplete, changed, or cannot be verified`
      : `${is} incomplete or ${was} changed after the export`;
  return new OpacError('incomplete', `${subject} ${problem}`, {
    hint: 'export again',
    code: 'file-changed',
  });
}

interface FileVerification {
  readonly file: string;
  readonly records: number;
  readonly complete: boolean;
  /** The end of the export in ISO 8601; null if opac cannot verify the file. */
  readonly finished: string | null;
  readonly total: number | null;
  readonly totalNow: number | null;
  readonly problems: readonly string[];
  readonly [more: string]: string | number | boolean | null | readonly string[];
}

async function checkFile(context: Context, file: string, online: boolean): Promise<FileVerification> {
  const { verifyFile } = await import('../../../export/verify/verify-files.js');
  const { manifest, problems, records } = await verifyFile(file, context.signal);
  const { complete, finished, totals, job } = manifest;
  return {
    file,
    records: problems.length === 0 ? manifest.records : records,
    complete,
    finished,
    total: totals.last,
    totalNow: online ? await fetchCurrentTotal(context, job) : null,
    problems: [...problems, ...listGaps(manifest)],
  };
}

/** Without `--from`, throws a UsageError if the file was exported from another deployment. */
async function fetchCurrentTotal(
  context: Context,
  job: { readonly deployment: string; readonly kind: string; readonly query: unknown },
) {
  const [{ fetchTotal }, client] = await Promise.all([
    import('../../../client/paging/pages.js'),
    context.client(),
  ]);
  const deployment = await getDeploymentName(context);
  if (deployment !== job.deployment && context.globalOptions.from.length === 0) {
    const isUrl = URL.canParse(job.deployment);
    throw new UsageError(
      `the file was exported from ${job.deployment}, not from ${deployment}`,
      `use: ${isUrl ? `--base-url ${formatShellWord(job.deployment)}` : '--mock'}`,
    );
  }
  const query = job.query as readonly (readonly [string, string])[];
  const kind = parseKind(job.kind, KINDS);
  return (await fetchTotal(client, `${kind}.search`, { query, signal: context.signal })) ?? null;
}

function formatVerification({
  file,
  records,
  problems,
  finished,
  total,
  totalNow,
}: FileVerification): string {
  if (problems.length > 0) return `${file}: ${problems.join('; ')}`;
  const now =
    totalNow === null
      ? ''
      : totalNow === total
        ? '; the total of the service has not changed'
        : `; the total of the service was ${count(total ?? 0)} and is now ${count(totalNow)}`;
  return `${file}: complete; ${formatCount(records, 'record')}, exported ${finished}${now}`;
}
