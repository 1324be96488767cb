/** The names of the fields that commands saw last, for shell completion without requests. No failure here is a command's. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type Json } from '../../../service/json.js';
import type { Kind } from '../../../service/kinds.js';
import { parseJson } from '../../../service/parse-json.js';
import { readRecord } from '../../../service/records/record.js';
import { NotRegularError } from '../../../system/our-file.js';
import type { Context } from '../../context.js';
import { cacheFolderIn, makeCacheFolder } from '../../options/files/cache-folder.js';

/** None of the three: the current profile. */
export interface DeploymentOptions {
  readonly mock: boolean;
  readonly baseUrl: string | undefined;
  readonly profile: string | undefined;
  readonly from?: readonly string[];
}

type Seen = Readonly<Record<string, readonly string[]>>;

/** Names without characters that a shell interprets, and that look like no option, nor like a directive of the scripts. */
const HARMLESS = /^(?![-:])[\p{L}\p{N}_.:-]{1,200}$/u;

const isHarmless = (name: unknown): name is string => typeof name === 'string' && HARMLESS.test(name);

/** More than any deployment publishes. */
const MOST = 1000;

/** Bytes of so many names. */
const LARGEST = 16 * 1024 * 1024;

/** The names seen, of one kind or of all. Never throws. */
export function seenFields(
  deployment: DeploymentOptions,
  kind: Kind | undefined,
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  const seen = read(fileOf(deployment, environment));
  const all = kind === undefined || kind === 'records' ? Object.values(seen).flat() : (seen[kind] ?? []);
  return [...new Set(all)];
}

export async function* rememberingFields(
  context: Context,
  kind: Kind,
  pages: AsyncIterable<readonly Json[]>,
): AsyncGenerator<readonly Json[]> {
  let first = true;
  for await (const page of pages) {
    if (first) {
      rememberFields(
        context,
        kind,
        page.flatMap((record) => [...readRecord(record, kind).fields.keys()]),
      );
    }
    first = false;
    yield page;
  }
}

/** Adds names to those seen of a kind, the latest first. Never throws. */
export function rememberFields(
  { settings, environment }: Context,
  kind: Kind,
  names: readonly string[],
): void {
  const file = fileOf(settings, environment);
  if (file === undefined || settings.dryRun) return;
  const seen = read(file);
  const before = seen[kind] ?? [];
  const known = new Set(before);
  const harmless = names.filter(isHarmless);
  if (harmless.every((name) => known.has(name))) return;
  const after = [...new Set([...harmless, ...before])].slice(0, MOST);
  makeCacheFolder(dirname(file), environment);
  try {
    const part = `${file}.${process.pid}`;
    writeFileSync(part, JSON.stringify({ ...seen, [kind]: after }), { mode: 0o600 });
    renameSync(part, file);
  } catch {
    // Completion then has no names of fields.
  }
}

function read(file: string | undefined): Seen {
  if (file === undefined) return {};
  try {
    const seen: unknown = parseJson(textOf(file));
    if (!isObject(seen)) return {};
    return Object.fromEntries(
      Object.entries(seen).map(([kind, names]) => [
        kind,
        Array.isArray(names) ? names.filter(isHarmless).slice(0, MOST) : [],
      ]),
    );
  } catch {
    return {};
  }
}

/** Throws for what is no file of ours, and does not wait for the other end of a pipe. */
function textOf(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(fd);
    if (!found.isFile() || found.size > LARGEST) throw new NotRegularError(file);
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

function fileOf(
  { mock, baseUrl, profile, from }: DeploymentOptions,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const folder = cacheFolderIn(environment);
  const asked = mock ? 'mock' : from?.at(-1);
  const deployment = asked ?? baseUrl ?? (profile === undefined ? 'in use' : `profile ${profile}`);
  const name = createHash('sha256').update(deployment).digest('hex').slice(0, 16);
  return folder && join(folder, `fields-${name}.json`);
}
