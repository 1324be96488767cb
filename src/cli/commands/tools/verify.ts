/** `opac verify`: checks exported files against their manifests and, with `--online`, against the service. */
import { stat } from 'node:fs/promises';
import { listGaps } from '../../../export/verify/manifest.js';
import { findSnapshots } from '../../../mirror/mirror-state.js';
import { OpacError, UsageError } from '../../../service/errors.js';
import { formatCount, formatNumber } from '../../../service/format-numbers.js';
import { KINDS } from '../../../service/kinds.js';
import type { Context } from '../../context.js';
import { defineCommand } from '../../description/command.js';
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
      { flags: '--online', summary: 'compare the number of records with the current total of the service' },
    ],
    examples: {
      'check that a file is complete and unchanged': 'opac verify objects.csv',
      'check also that the service still has the same number of records': 'opac verify objects.csv --online',
    },
    output: 'value',
    async run(context, { file: given, online }) {
      const files = (await Promise.all(given.map(listFiles))).flat();
      const checks: FileVerification[] = [];
      for (const file of files)
        checks.push(await checkFile(context, file, online).catch(createUnverifiableResult(file, files)));
      const broken = checks.filter(({ problems }) => problems.length > 0);
      const shown = context.globalOptions.quiet ? broken : checks;
      return {
        kind: 'value',
        text: shown.map((each) => sanitizeLine(formatVerification(each))).join('\n'),
        json: checks,
        failure: () => createFailure(checks, broken),
      };
    },
  }),
];

const UNVERIFIABLE = ['no-manifest', 'no-file', 'file-changed'];

/** Throws a UsageError for a folder that is not a mirror. */
async function listFiles(path: string): Promise<readonly string[]> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory();
  return isFolder ? findSnapshots(path) : [path];
}

/** With several files, a file without a valid manifest does not stop the verification of the others. */
function createUnverifiableResult(
  file: string,
  files: readonly string[],
): (error: unknown) => FileVerification {
  return (error) => {
    const isUnknown = error instanceof OpacError && UNVERIFIABLE.includes(error.code ?? '');
    if (!isUnknown || files.length === 1) throw error;
    const unknown = { complete: false, finished: null, total: null, totalNow: null };
    return { file, records: 0, ...unknown, problems: [error.message] };
  };
}

function createFailure(
  checks: readonly FileVerification[],
  broken: readonly FileVerification[],
): OpacError | undefined {
  if (broken.length === 0) return undefined;
  const files = `${formatNumber(broken.length)} of ${formatNumber(checks.length)} files`;
  const isMissing = broken.every(({ file, problems }) => problems.includes(`file not found: "${file}"`));
  if (broken.every(({ finished }) => finished === null))
    return new OpacError('incomplete', `${files} cannot be verified`, {
      hint: 'name files that an export wrote',
      code: isMissing ? 'no-file' : 'no-manifest',
    });
  const subject =
    checks.length === 1
      ? `"${broken[0]?.file}" is incomplete or was`
      : `${files} ${broken.length === 1 ? 'is incomplete or was' : 'are incomplete or were'}`;
  return new OpacError('incomplete', `${subject} changed after the export`, {
    hint: 'export again',
    code: 'file-changed',
  });
}

interface FileVerification {
  readonly file: string;
  readonly records: number;
  readonly complete: boolean;
  /** The end of the export in ISO 8601; null without a manifest. */
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

/** Throws a UsageError for another deployment. */
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
      `use: ${isUrl ? `--base-url ${job.deployment}` : '--mock'}`,
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
        ? '; same number in the service now'
        : `; the service has ${count(totalNow)} now`;
  return `${file}: complete; ${formatCount(records, 'record')}, exported ${finished}${now}`;
}
